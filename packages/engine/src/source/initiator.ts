import type { Principal } from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import type { NewAuditEntry } from '../ports/audit-store.ts';

/** Who changes sources: a person by a request, the code of a run with the approval of a person, or the configuration. */
export interface Initiator {
  principal: Principal;
  executionId?: string;
  configured?: true;
}

export function auditOf(
  { principal, executionId, configured }: Initiator,
  at: Date,
  what: Pick<NewAuditEntry, 'action' | 'target' | 'details'>,
): NewAuditEntry {
  const entry = auditEntry(principal, at, what);
  if (configured) return { ...entry, credential: 'system' };
  return executionId === undefined ? entry : { ...entry, credential: 'execution', credentialId: executionId };
}
