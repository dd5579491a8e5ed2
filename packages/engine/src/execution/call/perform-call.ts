import { ExecutorError } from '@executor/protocol';
import { Scrubber } from '../../auth/scrub.ts';
import type { CallResult, SandboxCall } from '../../ports/sandbox.ts';
import type { Answer, Invocation, InvocationOutcome, Question } from '../../ports/source.ts';
import { type CallState, isQuestion } from '../run/run-state.ts';
import type { CallContext } from './call-context.ts';
import { reasonOf, toolError } from './call-result.ts';
import { Deadline } from './deadline.ts';
import { obtainPermission } from './permission.ts';
import { type PreparedCall, prepareCall, shownInput } from './prepare-call.ts';
import { reconcileCall } from './reconcile-call.ts';

const defaultTimeoutMs = 60_000;
/** A larger result is stored as an artifact. */
const maxResultBytes = 1024 * 1024;

/**
 * The life of one tool call: prepare, permit, send, return the result. `past` is what the journal says about the call, from this process
 * or an earlier one. Steps that are in the journal are not repeated.
 */
export async function performCall(call: SandboxCall, past: CallState, run: CallContext): Promise<CallResult> {
  if (past.attempts > 0 && past.decided?.repeatable === false) {
    const settled = await reconcileCall(call, past, run);
    return settled.type === 'again' ? send(call, settled.prepared, past, run) : settled;
  }
  for (;;) {
    const prepared = await prepareCall(call, run);
    if ('type' in prepared) {
      withdrawApprovals(call, past, run);
      return prepared;
    }
    const permission = await obtainPermission(call, prepared, past, run);
    if (permission.type === 'refused') return permission.result;
    if (permission.type === 'granted') return send(call, prepared, past, run);
  }
}

/** Reviewers must not approve a call that cannot be sent. */
function withdrawApprovals({ index }: SandboxCall, past: CallState, run: CallContext): void {
  for (const asked of past.asked) {
    if (asked.kind === 'approval' && !asked.answer && !asked.gone)
      run.withdraw(index, asked, 'the call cannot be made any more');
  }
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
    await run.mayStart();
    run.record({ type: 'call.dispatched', index: call.index, attempt });
    await run.commit(timeoutMs);
  }
  const outcome = await invoke(call, prepared, { attempt, timeoutMs, past }, run);
  if (outcome.type === 'error') return toolError(outcome.message, outcome.details);
  return encodeValue(call, outcome, run);
}

async function invoke(
  call: SandboxCall,
  { tool, source, input, settings, auth, access }: PreparedCall,
  { attempt, timeoutMs, past }: { attempt: number; timeoutMs: number; past: CallState },
  run: CallContext,
): Promise<InvocationOutcome> {
  const deadline = new Deadline(timeoutMs, run);
  const scrubber = new Scrubber(access.auth, auth);
  const id = `${run.executionId}.${call.index}`;
  let artifacts = 0;
  let questions = 0;
  const invocation: Invocation = {
    tool,
    input,
    settings,
    auth,
    call: {
      workspaceId: run.caller.workspaceId,
      executionId: run.executionId,
      index: call.index,
      attempt,
      id,
    },
    ask: async (question) => {
      // The time that the reviewer takes does not count.
      deadline.pause();
      const answer = await askInCall(call, question, questions++, past, {
        run,
        source,
        tool,
        input,
      });
      // From here on the call may have its effect, as if it were sent only now.
      if (!tool.repeatable) await run.commit(timeoutMs);
      deadline.resume();
      return answer;
    },
    putArtifact: (artifact) => run.putArtifact(scrubber.artifact(artifact), `${call.index}_${artifacts++}`),
    readArtifact: (id) => run.readArtifact(id),
  };
  try {
    // A source that ignores the signal must not block the run.
    const attemptOnce = () => Promise.race([source.invoke(invocation, deadline.signal), deadline.end]);
    return scrubber.outcome(await (tool.repeatable ? run.withRetry(attemptOnce) : attemptOnce()));
  } catch (error) {
    if (deadline.passed) {
      const doubt = tool.repeatable ? '' : ' It is not known whether it succeeded.';
      return {
        type: 'error',
        message: `${tool.path} did not answer within ${timeoutMs / 1000} s.${doubt}`,
        details: { code: 'timeout' },
      };
    }
    const message = `${tool.path} failed: ${scrubber.text(reasonOf(error))}`;
    return { type: 'error', message, details: { code: 'failed' } };
  } finally {
    deadline.clear();
  }
}

/** A question in the middle of a call. If the call is repeated after a rebuild, it gets its earlier answers in order. */
async function askInCall(
  call: SandboxCall,
  question: Question,
  ordinal: number,
  past: CallState,
  { run, ...prepared }: { run: CallContext } & Pick<PreparedCall, 'source' | 'tool' | 'input'>,
): Promise<Answer> {
  const { tool } = prepared;
  const before = past.asked.filter(({ kind, gone }) => isQuestion(kind) && gone !== 'withdrawn')[ordinal];
  const asked =
    before ??
    run.ask(call, past, {
      kind: question.kind,
      prompt: question.prompt,
      toolPath: tool.path,
      effect: tool.effect,
      input: JSON.stringify(shownInput(prepared)),
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

async function encodeValue(
  { index, path }: SandboxCall,
  { value, isWhole }: Extract<InvocationOutcome, { type: 'value' }>,
  run: CallContext,
): Promise<CallResult> {
  const json = jsonOf(value);
  if (json === undefined)
    return toolError(`${path} returned JSON that is nested too deeply.`, { code: 'resultTooLarge' });
  const bytes = Buffer.byteLength(json);
  if (bytes <= maxResultBytes || isWhole) return { type: 'value', json };
  const tooLarge = `${path} returned ${bytes} bytes; the limit is ${maxResultBytes}.`;
  try {
    const whole = { bytes: Buffer.from(json), mediaType: 'application/json' };
    const artifact = await run.putArtifact(whole, `${index}_result`);
    return toolError(
      `${tooLarge} The whole result is the artifact ${artifact.artifactId}. Read it with tools.executor.artifacts.read({ id, as: "json" }), or request less.`,
      { code: 'resultTooLarge', ...artifact },
    );
  } catch (error) {
    if (!(error instanceof ExecutorError) || error.code !== 'payloadTooLarge') throw error;
    return toolError(`${tooLarge} It was not stored: ${error.message}`, { code: 'resultTooLarge' });
  }
}

/** Undefined if the value is nested too deeply. V8 can read such JSON, but not write it. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
