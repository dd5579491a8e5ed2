import { actionsOf, type Interaction, type PendingInteraction } from '@executor/protocol';
import type { InteractionRow } from '../ports/interaction-store.ts';

/** What a person sees: everything but what was submitted. */
export function toInteraction(
  row: InteractionRow,
  { baseUrl, now }: { baseUrl: string; now: Date },
): Interaction {
  const { resolution } = row;
  return {
    ...toPendingInteraction(row, baseUrl),
    status: statusOf(row, now),
    executionId: row.executionId,
    callId: `${row.executionId}.${row.callIndex}`,
    tool: { path: row.toolPath, input: JSON.parse(row.input), effect: row.effect },
    ...(row.request !== null && { request: JSON.parse(row.request) }),
    actions: [...actionsOf[row.kind]],
    ...(row.remember && { remember: row.remember }),
    createdAt: row.createdAt.toISOString(),
    ...(row.expiresAt && { expiresAt: row.expiresAt.toISOString() }),
    ...(row.resolvedAt && { resolvedAt: row.resolvedAt.toISOString() }),
    ...(resolution && { resolution: withoutData(resolution) }),
  };
}

/** What whoever started the run sees. */
export function toPendingInteraction(
  { id, kind, prompt }: Pick<InteractionRow, 'id' | 'kind' | 'prompt'>,
  baseUrl: string,
): PendingInteraction {
  return { id, kind, prompt, url: `${baseUrl}/approvals/${encodeURIComponent(id)}` };
}

/** One whose time has passed is called expired, though its run may not have come to note it. */
function statusOf({ status, expiresAt }: InteractionRow, now: Date): InteractionRow['status'] {
  return status === 'pending' && expiresAt !== null && expiresAt <= now ? 'expired' : status;
}

/** A form may have asked for a secret. */
function withoutData({ data: _, ...resolution }: NonNullable<InteractionRow['resolution']>) {
  return resolution;
}
