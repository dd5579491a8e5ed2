import type { AuditEntry, PageQuery, Principal } from '@executor/protocol';
import { newId } from './id.ts';
import type { NewAuditEntry } from './ports/audit-store.ts';
import type { Store } from './ports/store.ts';

/** The audit entry of an action of a principal. */
export function auditEntry(
  principal: Principal,
  at: Date,
  what: Pick<NewAuditEntry, 'action' | 'target' | 'details'>,
): NewAuditEntry {
  const { workspaceId, actorId, credential, apiKeyId, sessionId, oauthId } = principal;
  const credentialId = apiKeyId ?? sessionId ?? oauthId;
  const details = what.details && storable(what.details);
  return {
    id: newId('aud', at),
    workspaceId,
    actorId,
    credential,
    ...(credentialId && { credentialId }),
    at,
    ...what,
    ...(details && { details }),
  };
}

/** Reasons and rules may contain any text. A database cannot store U+0000 or lone surrogates as JSON, so they become U+FFFD. */
function storable(details: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(details).replace(/\\(?:u(?:0000|d[89a-f]..)|.)/g, (escaped) =>
    escaped.startsWith('\\u0000') || escaped.startsWith('\\ud') ? '\\ufffd' : escaped,
  );
  return JSON.parse(text);
}

/** The audit log, newest entry first. The store writes each entry in the transaction of its change. */
export async function listAudit(
  store: Pick<Store, 'audit'>,
  { workspaceId }: Principal,
  page: PageQuery,
): Promise<{ items: AuditEntry[]; nextCursor?: string }> {
  const { items, ...cursor } = await store.audit.list(workspaceId, page);
  return {
    items: items.map(({ workspaceId: _, at, ...entry }) => ({ ...entry, at: at.toISOString() })),
    ...cursor,
  };
}
