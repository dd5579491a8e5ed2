import type { Principal } from '@executor/protocol';
import { newId } from './id.ts';
import type { NewAuditEntry } from './ports/store.ts';

/** The audit entry of something that a principal does now. */
export function auditEntry(
  principal: Principal,
  at: Date,
  what: Pick<NewAuditEntry, 'action' | 'target' | 'details'>,
): NewAuditEntry {
  const { workspaceId, actorId, credential, apiKeyId, sessionId } = principal;
  const credentialId = apiKeyId ?? sessionId;
  return {
    id: newId('aud', at),
    workspaceId,
    actorId,
    credential,
    ...(credentialId && { credentialId }),
    at,
    ...what,
  };
}
