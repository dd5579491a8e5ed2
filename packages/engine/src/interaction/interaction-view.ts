import { actionsOf, type Interaction } from '@executor/protocol';
import type { InteractionRow } from '../ports/interaction-store.ts';

/** What a person sees: everything but what was submitted. */
export function toInteraction(
  row: InteractionRow,
  { baseUrl, now }: { baseUrl: string; now: Date },
): Interaction {
  const { resolution } = row;
  return {
    id: row.id,
    kind: row.kind,
    prompt: row.prompt,
    url: interactionUrl(baseUrl, row.id),
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

/** The page on which a person answers. */
export function interactionUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/approvals/${encodeURIComponent(id)}`;
}

/** Which one is asked at that page: the same one when the server has another address later. */
export function interactionIdOf({ url }: { url: string }): string {
  return decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
}

/** One whose time has passed is called expired, though its run may not have come to note it. */
function statusOf({ status, expiresAt }: InteractionRow, now: Date): InteractionRow['status'] {
  return status === 'pending' && expiresAt !== null && expiresAt <= now ? 'expired' : status;
}

/** A form may have asked for a secret. */
function withoutData({ data: _, ...resolution }: NonNullable<InteractionRow['resolution']>) {
  return resolution;
}
