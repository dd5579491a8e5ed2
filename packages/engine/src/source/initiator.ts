import type { Principal } from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import type { NewAuditEntry } from '../ports/audit-store.ts';

/** Who changes a source: a user by a request, the code of a run with approval (`executionId`), or the configuration. */
export interface Initiator {
  principal: Principal;
  executionId?: string;
  configured?: true;
}

export function auditOf(
  { principal, executionId, configured }: Initiator,
  at: Date,
  change: Pick<NewAuditEntry, 'action' | 'target' | 'details'>,
): NewAuditEntry {
  const entry = auditEntry(principal, at, change);
  if (configured) return { ...entry, credential: 'system' };
  return executionId === undefined ? entry : { ...entry, credential: 'execution', credentialId: executionId };
}
