import { ExecutorError, type ResolutionAction } from '@executor/protocol';
import type { InteractionRow } from '../ports/interaction-store.ts';

const actionTexts = {
  approve: 'approved it',
  deny: 'denied it',
  submit: 'answered it',
  cancel: 'cancelled it',
  retry: 'had the call sent again',
  complete: 'entered the result of the call',
  fail: 'let the call fail',
} as const satisfies Record<ResolutionAction, string>;

/** The error for an answer that is too late. `who` is the name of the person who answered first. */
export function settledError(row: InteractionRow, who: string): ExecutorError {
  const { id, status, resolution, resolvedAt, expiresAt } = row;
  if (resolution && resolvedAt) {
    const at = resolvedAt.toISOString();
    return new ExecutorError(
      'conflict',
      `${who} ${actionTexts[resolution.action]} at ${at}. That stands; this answer changed nothing.`,
      { details: { id, action: resolution.action, actorId: resolution.actorId, resolvedAt: at } },
    );
  }
  if (status === 'withdrawn') {
    return new ExecutorError(
      'gone',
      'This question was withdrawn: its run has ended, or the request changed and Executor asks again. `executor approvals ls` lists pending approvals.',
      { details: { id } },
    );
  }
  const when = expiresAt ? ` at ${expiresAt.toISOString()}` : '';
  return new ExecutorError('gone', `This question expired${when}. It can no longer be answered.`, {
    details: { id },
  });
}
