import { newId } from '../../id.ts';
import type { ExecutionRow } from '../../ports/execution-store.ts';
import type { NewInteractionRow } from '../../ports/interaction-store.ts';
import type { JournalEvent } from '../../ports/journal-event.ts';
import type { SandboxCall } from '../../ports/sandbox.ts';
import type { NewQuestion } from './call-context.ts';

/** A question of a call to a reviewer, as a row and as an event of the journal. */
export function questionOf(
  { id: executionId, workspaceId }: Pick<ExecutionRow, 'id' | 'workspaceId'>,
  { index }: Pick<SandboxCall, 'index'>,
  { remember, expiresAt, state, ...question }: NewQuestion,
  { ordinal, at }: { ordinal: number; at: Date },
): { row: NewInteractionRow; event: JournalEvent } {
  const row: NewInteractionRow = {
    ...question,
    id: newId('int', at),
    workspaceId,
    executionId,
    callIndex: index,
    ordinal,
    remember: remember ?? null,
    createdAt: at,
    expiresAt: expiresAt ?? null,
  };
  const { id: interactionId, kind, prompt, binding } = row;
  return {
    row,
    event: {
      type: 'interaction.requested',
      index,
      interactionId,
      kind,
      ordinal,
      prompt,
      binding,
      ...(expiresAt && { expiresAt: expiresAt.getTime() }),
      ...(state !== undefined && { state }),
    },
  };
}
