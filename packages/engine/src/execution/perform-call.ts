import type { Clock } from '../clock.ts';
import type { CallResult, SandboxCall } from '../ports/sandbox.ts';
import type { Answer, Invocation, InvocationOutcome, Question } from '../ports/source.ts';
import type { CallContext, PersonAnswer } from './call-context.ts';
import { toolError } from './call-result.ts';
import { bindingOf, obtainPermission, type PreparedCall } from './permission.ts';
import type { AskedState, CallState } from './run-state.ts';

const defaultTimeoutMs = 60_000;
/** A larger answer is kept as an artifact. */
const mostResultBytes = 1024 * 1024;

/**
 * The life of one tool call: prepare, permit, send, answer. `past` is what the journal knows of it, from this process or an
 * earlier one; whatever was settled there is not done again.
 */
export async function performCall(call: SandboxCall, past: CallState, run: CallContext): Promise<CallResult> {
  if (past.attempts > 0 && past.decided?.repeatable === false) return reconcile(call, past, run);
  for (;;) {
    const prepared = prepare(call, run);
    if ('type' in prepared) return prepared;
    const permission = await obtainPermission(call, prepared, past, run);
    if (permission.type === 'refused') return permission.result;
    if (permission.type === 'granted') return send(call, prepared, past, run);
  }
}

/** Finds the tool and checks the input, so that nobody is asked about a call that cannot work. */
function prepare({ path, input }: SandboxCall, run: CallContext): PreparedCall | CallResult {
  const found = run.catalog.find(run.caller.workspaceId, path);
  if (found === undefined) return unknownTool(path, run);
  const checked = run.validator.check(found.tool, JSON.parse(input));
  if (checked.type === 'invalid') {
    return toolError(`${path}: ${checked.message}`, { code: 'invalidInput', ...checked.details });
  }
  return { ...found, input: checked.input, binding: bindingOf(found, checked.input) };
}

function unknownTool(path: string, { catalog, caller }: CallContext): CallResult {
  const meant = catalog.nearest(caller.workspaceId, path);
  const hint = meant ? `Did you mean tools.${meant}?` : 'tools.discover({ query }) finds tools.';
  return toolError(`There is no tool ${path}. ${hint}`, {
    code: 'unknownTool',
    ...(meant && { nearest: meant }),
  });
}

async function send(
  call: SandboxCall,
  prepared: PreparedCall,
  past: CallState,
  run: CallContext,
): Promise<CallResult> {
  const { tool } = prepared;
  const timeoutMs = tool.timeoutMs ?? defaultTimeoutMs;
  const attempt = past.attempts + 1;
  run.signal.throwIfAborted();
  if (!tool.repeatable) {
    run.record({ type: 'call.dispatched', index: call.index, attempt });
    await run.commit(timeoutMs);
  }
  const outcome = await invoke(call, prepared, { attempt, timeoutMs, past }, run);
  if (outcome.type === 'error') return toolError(outcome.message, outcome.details);
  return encodeValue(call, outcome.value, run);
}

async function invoke(
  call: SandboxCall,
  { tool, source, input }: PreparedCall,
  { attempt, timeoutMs, past }: { attempt: number; timeoutMs: number; past: CallState },
  run: CallContext,
): Promise<InvocationOutcome> {
  const deadline = new Deadline(timeoutMs, run);
  const id = `${run.executionId}.${call.index}`;
  let artifacts = 0;
  let questions = 0;
  const invocation: Invocation = {
    tool,
    input,
    auth: {},
    call: {
      workspaceId: run.caller.workspaceId,
      executionId: run.executionId,
      index: call.index,
      attempt,
      id,
    },
    ask: async (question) => {
      // A person may take days; that is not the call's time.
      deadline.pause();
      const answer = await askInCall(call, question, questions++, past, { run, tool, input });
      // From here on it may do what it was made for, as if it left only now.
      if (!tool.repeatable) await run.commit(timeoutMs);
      deadline.resume();
      return answer;
    },
    putArtifact: (artifact) => run.putArtifact(artifact, `${call.index}_${artifacts++}`),
  };
  try {
    // A source that does not hear the signal must not hold the run.
    return await Promise.race([source.invoke(invocation, deadline.signal), deadline.end]);
  } catch (error) {
    if (deadline.passed) {
      const doubt = tool.repeatable ? '' : ' Whether it happened is not known.';
      return {
        type: 'error',
        message: `${tool.path} did not answer within ${timeoutMs / 1000} s.${doubt}`,
        details: { code: 'timeout' },
      };
    }
    return {
      type: 'error',
      message: `${tool.path} failed: ${(error as Error).message}`,
      details: { code: 'failed' },
    };
  } finally {
    deadline.clear();
  }
}

/** A question in the middle of a call. One that is safe to repeat may be rebuilt, and finds its earlier answers in order. */
async function askInCall(
  call: SandboxCall,
  question: Question,
  ordinal: number,
  past: CallState,
  { run, tool, input }: { run: CallContext; tool: PreparedCall['tool']; input: unknown },
): Promise<Answer> {
  const before = past.asked.filter(({ kind, gone }) => isQuestion(kind) && gone !== 'withdrawn')[ordinal];
  const asked =
    before ??
    run.ask(call, past, {
      kind: question.kind,
      prompt: question.prompt,
      effect: tool.effect,
      input: JSON.stringify(input),
      request: question.request === undefined ? null : JSON.stringify(question.request),
      binding: '',
      ...(question.expiresAt && { expiresAt: question.expiresAt }),
    });
  const answer = await run.answerTo(call.index, asked, { pinned: !tool.repeatable });
  if (answer.type === 'expired') return { type: 'expired' };
  return answer.event.action === 'submit'
    ? { type: 'submitted', data: answer.event.data }
    : { type: 'cancelled' };
}

function isQuestion(kind: string): boolean {
  return kind !== 'approval' && kind !== 'reconcile';
}

/** The call left, and the process that made it ended before it knew the answer. Only a person can say what to do. */
async function reconcile(call: SandboxCall, past: CallState, run: CallContext): Promise<CallResult> {
  for (const asked of past.asked) {
    if (isQuestion(asked.kind) && !asked.answer && !asked.gone) {
      run.withdraw(call.index, asked, 'the process that asked has ended');
    }
  }
  for (;;) {
    const before = past.asked.findLast(({ kind, gone }) => kind === 'reconcile' && isValid(gone));
    const asked = before ?? askToReconcile(call, past, run);
    const answer = await run.answerTo(call.index, asked);
    if (answer.type === 'expired' || answer.event.action !== 'retry') return settle(call, answer);
    const prepared = prepare(call, run);
    if ('type' in prepared) return prepared;
    if (prepared.binding === asked.binding) return sendAgain(call, prepared, past, run);
    run.withdraw(call.index, asked, 'what would be sent has changed, and is asked about again');
  }
}

function isValid(gone: AskedState['gone']): boolean {
  return gone === undefined || gone === 'expired';
}

function askToReconcile(call: SandboxCall, past: CallState, run: CallContext): AskedState {
  const prepared = prepare(call, run);
  const sent =
    'type' in prepared
      ? { request: null, binding: '' }
      : {
          request: JSON.stringify(prepared.source.preview(prepared.tool, prepared.input)) ?? null,
          binding: prepared.binding,
        };
  return run.ask(call, past, {
    kind: 'reconcile',
    prompt: `${call.path} was sent, and whether it happened is not known. Send it again?`,
    effect: 'write',
    input: call.input,
    ...sent,
  });
}

function settle({ path }: SandboxCall, answer: PersonAnswer): CallResult {
  if (answer.type === 'expired') {
    return toolError(`Whether ${path} happened is not known, and nobody said in time.`, {
      code: 'uncertain',
    });
  }
  const { action, data, reason } = answer.event;
  if (action === 'complete') return { type: 'value', json: JSON.stringify(data ?? null) };
  const why = reason ? `: ${reason}` : '.';
  return toolError(`A person declared ${path} failed${why}`, { code: 'declaredFailed' });
}

/** Rules may have changed while people thought. */
async function sendAgain(
  call: SandboxCall,
  prepared: PreparedCall,
  past: CallState,
  run: CallContext,
): Promise<CallResult> {
  const { decision, reason } = await run.policies.decide(run.caller, prepared.tool, prepared.input, {
    fresh: true,
  });
  if (decision === 'deny') return toolError(`${call.path} is denied: ${reason}`, { code: 'denied' });
  return send(call, prepared, past, run);
}

async function encodeValue(
  { index, path }: SandboxCall,
  value: unknown,
  run: CallContext,
): Promise<CallResult> {
  const json = JSON.stringify(value) ?? 'null';
  const bytes = Buffer.byteLength(json);
  if (bytes <= mostResultBytes) return { type: 'value', json };
  const artifact = await run.putArtifact(
    { bytes: Buffer.from(json), mediaType: 'application/json' },
    `${index}_result`,
  );
  return toolError(
    `${path} answered with ${bytes} bytes, more than the ${mostResultBytes} that fit. All of it is in the artifact ${artifact.artifactId}: read parts with tools.executor.artifacts.read({ id, offset, length }), or ask for less.`,
    { code: 'resultTooLarge', ...artifact },
  );
}

/** How long a call may take, without the time that people think. */
class Deadline {
  readonly #own = new AbortController();
  /** Rejects when the time is up or the run ends. */
  readonly end: Promise<never>;
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #outer: AbortSignal;
  readonly #follow = () => this.#own.abort(this.#outer.reason);
  #callOff = () => {};
  /** Questions without an answer. */
  #paused = 0;
  #over = false;
  passed = false;

  constructor(ms: number, { signal: outer, clock }: Pick<CallContext, 'signal' | 'clock'>) {
    this.#ms = ms;
    this.#clock = clock;
    this.#outer = outer;
    this.end = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    this.end.catch(() => {});
    // By hand: AbortSignal.any costs as much as all the rest of a call.
    if (outer.aborted) this.#follow();
    else outer.addEventListener('abort', this.#follow, { once: true });
    this.#start();
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  pause(): void {
    this.#paused += 1;
    this.#callOff();
  }

  resume(): void {
    this.#paused -= 1;
    if (this.#paused === 0 && !this.#over) this.#start();
  }

  clear(): void {
    this.#over = true;
    this.#callOff();
    this.#outer.removeEventListener('abort', this.#follow);
  }

  #start(): void {
    this.#callOff = this.#clock.at(this.#clock.now().getTime() + this.#ms, () => {
      this.passed = true;
      this.#own.abort(new Error('The call took too long.'));
    });
  }
}
