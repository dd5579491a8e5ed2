import { type Asker, actionsOf, type Interaction } from '@executor/protocol';
import type { AskedRow, AskerRow, InteractionRow } from '../ports/interaction-store.ts';

/** An interaction for people, without the submitted data. */
export function toInteraction(row: AskedRow, { baseUrl, now }: { baseUrl: string; now: Date }): Interaction {
  const { resolution } = row;
  return {
    id: row.id,
    kind: row.kind,
    prompt: row.prompt,
    url: interactionUrl(baseUrl, row.id),
    status: statusOf(row, now),
    executionId: row.executionId,
    askedBy: toAsker(row.askedBy),
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

function toAsker({ principalKind: kind, ownerId, keyName, clientId }: AskerRow): Asker {
  return { kind, ownerId, ...(keyName !== null && { keyName }), ...(clientId !== null && { clientId }) };
}

/** The URL of the page on which a person answers. */
export function interactionUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/approvals/${encodeURIComponent(id)}`;
}

/** The id of the interaction in such a URL. It does not depend on the server's address. */
export function interactionIdOf({ url }: { url: string }): string {
  return decodeURIComponent(url.slice(url.lastIndexOf('/') + 1));
}

/** An interaction past its time is shown as expired, even if its run has not journaled that yet. */
function statusOf({ status, expiresAt }: InteractionRow, now: Date): InteractionRow['status'] {
  return status === 'pending' && expiresAt !== null && expiresAt <= now ? 'expired' : status;
}

/** Removes the data, because a form may have asked for a secret. */
function withoutData({ data: _, ...resolution }: NonNullable<InteractionRow['resolution']>) {
  return resolution;
}
