import { ExecutorError } from '@executor/protocol';
import { Scrubber } from '../../auth/scrub.ts';
import type { CallResult, SandboxCall } from '../../ports/sandbox.ts';
import type { Answer, Invocation, InvocationOutcome, Question } from '../../ports/source.ts';
import { secretsIn } from '../../source/url-secrets.ts';
import { type CallState, isQuestion } from '../run/run-state.ts';
import { answerOf } from './answer.ts';
import type { CallContext } from './call-context.ts';
import { codeOf, overQuota, reasonOf, toolError } from './call-result.ts';
import { Deadline } from './deadline.ts';
import { obtainPermission } from './permission.ts';
import { type PreparedCall, prepareCall } from './prepare-call.ts';
import { reconcileCall } from './reconcile-call.ts';
import { shownInput } from './shown-call.ts';

const defaultTimeoutMs = 60_000;

/**
 * The life of one tool call: prepare, permit, send, return the result. `past` is what the journal says about the call, from this process
 * or an earlier one. Steps that are in the journal are not repeated.
 */
export async function performCall(call: SandboxCall, past: CallState, run: CallContext): Promise<CallResult> {
  if (past.attempts > 0 && past.decided?.repeatable === false) {
    const settled = await reconcileCall(call, past, run);
    return settled.type === 'again' ? send(call, settled.prepared, past, run) : settled;
  }
  const refusal = past.asked.length > 0 ? undefined : await refusedForRoom(call, run);
  if (refusal) return refusal;
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

/** Undefined if the result of the call can be stored. */
async function refusedForRoom(call: SandboxCall, run: CallContext): Promise<CallResult | undefined> {
  try {
    await run.requireRoom();
    return undefined;
  } catch (error) {
    return overQuota(call, error);
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
  const refusal = await openRoom(tool.path, run);
  if (refusal) return refusal;
  run.signal.throwIfAborted();
  if (!tool.repeatable) {
    await run.mayStart();
    run.room.isOut = run.room.isSent = true;
    run.record({ type: 'call.dispatched', index: call.index, attempt });
    await run.commit(timeoutMs);
  } else {
    await run.requireHeld();
    run.room.isOut = true;
    run.room.isSent = tool.effect !== 'read';
  }
  // The time that the call waits for its turn does not count against its timeout.
  const turn = takesTurn(prepared) ? await run.ownTurn() : undefined;
  const outcome = await invoke(call, prepared, { attempt, timeoutMs, past }, run).finally(turn?.release);
  if (outcome.type === 'error') return toolError(outcome.message, outcome.details);
  if (!run.room.isSent) return answerOf(call, outcome, run);
  return answerOf(call, outcome, run).catch((error) => {
    if (!run.signal.aborted || run.sentSignal.aborted) throw error;
    return { type: 'value', json: JSON.stringify(notKept) };
  });
}

/** The answer of a call that succeeded after its run had ended. */
const notKept = 'The call succeeded, but its answer was too large to be kept after the run had ended.';

/** A call waits before it is sent, so that its answer has room. */
async function openRoom(path: string, { room, signal }: CallContext): Promise<CallResult | undefined> {
  try {
    await room.open();
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return toolError(`${path} was not sent: ${reasonOf(error)}`, { code: codeOf(error) });
  }
}

/**
 * Executor's own tools compute in this process, except those that change sources or read artifacts. These may wait for long, so they must
 * not keep a turn.
 */
function takesTurn({ source, tool }: PreparedCall): boolean {
  return source.kind === 'executor' && tool.effect === 'read' && !tool.path.startsWith('executor.artifacts.');
}

async function invoke(
  call: SandboxCall,
  { tool, source, input, settings, auth, access }: PreparedCall,
  { attempt, timeoutMs, past }: { attempt: number; timeoutMs: number; past: CallState },
  run: CallContext,
): Promise<InvocationOutcome> {
  const signal = run.room.isSent ? run.sentSignal : run.signal;
  const deadline = new Deadline(timeoutMs, { signal, clock: run.clock });
  let artifactBytes = 0;
  const allowAnswer = async (bytes: number) => {
    // An upload is still needed.
    if (bytes === 0 && artifactBytes === 0) return run.room.drop();
    // The time that the call waits for memory does not count.
    deadline.pause();
    try {
      await run.room.allow(bytes);
    } finally {
      deadline.resume();
    }
  };
  const scrubber = new Scrubber(access.auth, auth, secretsIn(settings.baseUrl));
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
      try {
        const answer = await askInCall(call, question, questions++, past, { run, source, tool, input });
        // From here on the call may have its effect, as if it were sent only now.
        if (!tool.repeatable) await run.commit(timeoutMs);
        return answer;
      } finally {
        deadline.restart();
      }
    },
    putArtifact: (artifact) => run.putArtifact(scrubber.artifact(artifact), `${call.index}_${artifacts++}`),
    meter: run.meter,
    readArtifact: (id) =>
      run.readArtifact(id, (bytes) => {
        artifactBytes += bytes;
        return allowAnswer(artifactBytes);
      }),
    allowAnswer,
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
    return { type: 'error', message, details: detailsOf(error) };
  } finally {
    deadline.clear();
  }
}

/** The code may need to know which quota it reached. */
function detailsOf(error: unknown): Record<string, unknown> {
  const details = error instanceof ExecutorError && error.code === 'quotaExceeded' ? error.details : {};
  return { ...details, code: codeOf(error) };
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
  if (before === undefined) await run.takeQuestion();
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
