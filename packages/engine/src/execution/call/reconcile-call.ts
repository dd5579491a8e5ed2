import type { CallResult, SandboxCall } from '../../ports/sandbox.ts';
import { type AskedState, type CallState, isQuestion } from '../run/run-state.ts';
import type { CallContext, ReviewerAnswer } from './call-context.ts';
import { deniedByRule, toolError } from './call-result.ts';
import { noteDecision } from './note-decision.ts';
import { type PreparedCall, prepareCall } from './prepare-call.ts';
import { shownInput, shownOfCall, shownRequest } from './shown-call.ts';

/** The call was sent, and the process that sent it ended before it journaled the result. Only a reviewer can decide what to do. */
export async function reconcileCall(
  call: SandboxCall,
  past: CallState,
  run: CallContext,
): Promise<CallResult | { type: 'again'; prepared: PreparedCall }> {
  for (;;) {
    const asked = await reconciliation(call, past, run);
    const answer = await run.answerTo(call.index, asked);
    if (answer.type === 'expired' || answer.event.action !== 'retry') return settle(call, answer);
    const prepared = await prepareCall(call, run);
    if ('type' in prepared) return prepared;
    if (prepared.binding === asked.binding) return permitAgain(call, prepared, run);
    run.withdraw(call.index, asked, 'the request has changed, so Executor asks again');
  }
}

/** The question about the call. Asks it unless it was asked before. */
export async function reconciliation(
  call: SandboxCall,
  past: CallState,
  run: CallContext,
): Promise<AskedState> {
  for (const asked of past.asked) {
    if (isQuestion(asked.kind) && !asked.answer && !asked.gone) {
      run.withdraw(call.index, asked, 'the process that asked has ended');
    }
  }
  const before = past.asked.findLast(({ kind, gone }) => kind === 'reconcile' && isValid(gone));
  return before ?? askToReconcile(call, past, run);
}

function isValid(gone: AskedState['gone']): boolean {
  return gone === undefined || gone === 'expired';
}

async function askToReconcile(call: SandboxCall, past: CallState, run: CallContext): Promise<AskedState> {
  const prepared = await prepareCall(call, run);
  const sent =
    'type' in prepared
      ? {
          toolPath: call.path,
          effect: 'write' as const,
          input: await shownOfCall(call, run),
          request: null,
          binding: '',
        }
      : {
          toolPath: prepared.tool.path,
          effect: prepared.tool.effect,
          input: shownInput(prepared),
          request: shownRequest(prepared, run),
          binding: prepared.binding,
        };
  const expiresAt = await run.answerUntil();
  await run.takeQuestion({ anyway: true });
  return run.ask(call, past, {
    kind: 'reconcile',
    prompt: `${call.path} was sent, but Executor does not know whether it succeeded. Send it again?`,
    ...sent,
    input: JSON.stringify(sent.input),
    ...(expiresAt && { expiresAt }),
  });
}

function settle({ path }: SandboxCall, answer: ReviewerAnswer): CallResult {
  if (answer.type === 'expired') {
    return toolError(`It is not known whether ${path} succeeded, and no reviewer answered in time.`, {
      code: 'uncertain',
    });
  }
  const { action, data, reason } = answer.event;
  if (action === 'complete') return { type: 'value', json: JSON.stringify(data ?? null) };
  const why = reason ? `: ${reason}` : '.';
  return toolError(`A reviewer declared that ${path} failed${why}`, { code: 'declaredFailed' });
}

/** Rules may have changed before the reviewer answered. */
async function permitAgain(
  call: SandboxCall,
  prepared: PreparedCall,
  run: CallContext,
): Promise<CallResult | { type: 'again'; prepared: PreparedCall }> {
  const { tool, judged } = prepared;
  const completed = await run.policies.complete(run.caller, tool, judged.original, { fresh: true });
  const now = await run.policies.decide(run.caller, tool, completed ?? judged);
  noteDecision(call, tool, now, run);
  return now.decision === 'deny' ? deniedByRule(call.path, now) : { type: 'again', prepared };
}
