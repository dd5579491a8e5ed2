import type { CallResult, SandboxCall } from '../../ports/sandbox.ts';
import type { CallQuestion } from '../../ports/source.ts';
import type { AskedState, CallState } from '../run/run-state.ts';
import { answerOf } from './answer.ts';
import type { CallContext } from './call-context.ts';
import { askSuspended } from './call-question.ts';
import { codeOf, deniedByRule, overQuota, reasonOf, toolError } from './call-result.ts';
import { invokeSource, timeLimitsOf } from './invoke-source.ts';
import { noteDecision } from './note-decision.ts';
import { obtainPermission } from './permission.ts';
import { type PreparedCall, prepareCall } from './prepare-call.ts';
import { reconcileCall } from './reconcile-call.ts';

/**
 * The life of one tool call: prepare, permit, send, return the result. `past` is what the journal says about the call, from this process
 * or an earlier one. Steps that are in the journal are not repeated.
 */
export async function performCall(call: SandboxCall, past: CallState, run: CallContext): Promise<CallResult> {
  if (past.suspended && past.question) return resume(call, past.question, past, run);
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

/** Continues a call that has suspended itself, when its question is answered. Nothing of it is in flight. */
async function resume(
  call: SandboxCall,
  asked: AskedState,
  past: CallState,
  run: CallContext,
): Promise<CallResult> {
  await run.answerTo(call.index, asked);
  const prepared = await prepareCall(call, run);
  if ('type' in prepared) return prepared;
  if (prepared.binding !== asked.binding)
    return toolError(`${call.path} has changed since it asked a question, so it was not continued.`, {
      code: 'changed',
    });
  const { tool, judged } = prepared;
  const now = await run.policies.decide(run.caller, tool, judged);
  if (now.decision === 'deny') {
    noteDecision(call, tool, now, run);
    return deniedByRule(call.path, now);
  }
  return send(call, prepared, past, run);
}

async function suspend(
  call: SandboxCall,
  outcome: CallQuestion,
  prepared: PreparedCall,
  past: CallState,
  run: CallContext,
): Promise<CallResult> {
  run.room.isOut = run.room.isSent = false;
  const asked = await askSuspended(call, outcome, prepared, past, run).catch((error) => {
    run.signal.throwIfAborted();
    return toolError(`${call.path} asked a question that Executor cannot ask: ${reasonOf(error)}`, {
      code: codeOf(error),
    });
  });
  return 'type' in asked ? asked : resume(call, asked, past, run);
}

async function send(
  call: SandboxCall,
  prepared: PreparedCall,
  past: CallState,
  run: CallContext,
): Promise<CallResult> {
  const { tool } = prepared;
  const limits = timeLimitsOf(prepared);
  const { timeoutMs } = limits;
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
  const outcome = await invokeSource(call, prepared, { attempt, limits, past }, run).finally(turn?.release);
  if (outcome.type === 'question') return suspend(call, outcome, prepared, past, run);
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
