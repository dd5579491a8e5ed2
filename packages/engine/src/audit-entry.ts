import type { Principal } from '@executor/protocol';
import { newId } from './id.ts';
import type { NewAuditEntry } from './ports/store.ts';

/** The audit entry of something that a principal does now. */
export function auditEntry(
  principal: Principal,
  at: Date,
  what: Pick<NewAuditEntry, 'action' | 'target' | 'details'>,
): NewAuditEntry {
  const { workspaceId, actorId, credential } = principal;
  return { id: newId('aud', at), workspaceId, actorId, credential, at, ...what };
}
