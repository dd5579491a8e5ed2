import { ExecutorError } from '@executor/protocol';
import { Scrubber } from '../auth/scrub.ts';
import type { CallResult, SandboxCall } from '../ports/sandbox.ts';
import type { Answer, Invocation, InvocationOutcome, Question } from '../ports/source.ts';
import type { CallContext } from './call-context.ts';
import { reasonOf, toolError } from './call-result.ts';
import { Deadline } from './deadline.ts';
import { obtainPermission } from './permission.ts';
import { type PreparedCall, prepareCall, shownInput } from './prepare-call.ts';
import { reconcileCall } from './reconcile-call.ts';
import { type CallState, isQuestion } from './run-state.ts';

const defaultTimeoutMs = 60_000;
/** A larger answer is kept as an artifact. */
const maxResultBytes = 1024 * 1024;

/**
 * The life of one tool call: prepare, permit, send, answer. `past` is what the journal knows of it, from this process or an
 * earlier one; whatever was settled there is not done again.
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

/** Nobody is to approve what cannot be sent. */
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
    await run.mayBegin();
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
      // A person may take days; that is not the call's time.
      deadline.pause();
      const answer = await askInCall(call, question, questions++, past, {
        run,
        source,
        tool,
        input,
      });
      // From here on it may do what it was made for, as if it left only now.
      if (!tool.repeatable) await run.commit(timeoutMs);
      deadline.resume();
      return answer;
    },
    putArtifact: (artifact) => run.putArtifact(scrubber.artifact(artifact), `${call.index}_${artifacts++}`),
    readArtifact: (id) => run.readArtifact(id),
  };
  try {
    // A source that does not hear the signal must not hold the run.
    const attemptOnce = () => Promise.race([source.invoke(invocation, deadline.signal), deadline.end]);
    return scrubber.outcome(await (tool.repeatable ? run.patiently(attemptOnce) : attemptOnce()));
  } catch (error) {
    if (deadline.passed) {
      const doubt = tool.repeatable ? '' : ' Whether it happened is not known.';
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

/** A question in the middle of a call. One that is safe to repeat may be rebuilt, and finds its earlier answers in order. */
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
  const json = JSON.stringify(value) ?? 'null';
  const bytes = Buffer.byteLength(json);
  if (bytes <= maxResultBytes || isWhole) return { type: 'value', json };
  const tooLarge = `${path} answered with ${bytes} bytes, more than the ${maxResultBytes} that fit.`;
  try {
    const whole = { bytes: Buffer.from(json), mediaType: 'application/json' };
    const artifact = await run.putArtifact(whole, `${index}_result`);
    return toolError(
      `${tooLarge} All of it is in the artifact ${artifact.artifactId}: read it with tools.executor.artifacts.read({ id, as: "json" }), or ask for less.`,
      { code: 'resultTooLarge', ...artifact },
    );
  } catch (error) {
    if (!(error instanceof ExecutorError) || error.code !== 'payloadTooLarge') throw error;
    return toolError(`${tooLarge} It was not kept: ${error.message}`, { code: 'resultTooLarge' });
  }
}
