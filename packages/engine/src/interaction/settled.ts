import { ExecutorError, type ResolutionAction } from '@executor/protocol';
import type { InteractionRow } from '../ports/interaction-store.ts';

const actionTexts = {
  approve: 'approved it',
  deny: 'denied it',
  submit: 'answered it',
  cancel: 'cancelled it',
  retry: 'had the call made again',
  complete: 'gave the result of the call',
  fail: 'had the call fail',
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
      'This is not asked any more: its run has ended, or what it was about has changed and is asked anew. `executor approvals ls` lists what waits.',
      { details: { id } },
    );
  }
  const when = expiresAt ? ` at ${expiresAt.toISOString()}` : '';
  return new ExecutorError('gone', `This expired${when}, and nobody can answer it any more.`, {
    details: { id },
  });
}
