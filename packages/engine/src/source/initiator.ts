import type { Principal } from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import type { NewAuditEntry } from '../ports/audit-store.ts';
import type { SourceRow } from '../ports/source-store.ts';

/** Who changes a source: a user by a request, the code of a run with approval (`executionId`), or Executor itself, for its configuration or because the system has changed. */
export interface Initiator {
  principal: Principal;
  executionId?: string;
  system?: true;
}

export function auditOf(
  { principal, executionId, system }: Initiator,
  at: Date,
  change: Pick<NewAuditEntry, 'action' | 'target' | 'details'>,
): NewAuditEntry {
  const entry = auditEntry(principal, at, change);
  if (system) return { ...entry, credential: 'system' };
  return executionId === undefined ? entry : { ...entry, credential: 'execution', credentialId: executionId };
}

/** Executor acts for whoever added the source. */
export function systemFor({ workspaceId, createdBy: actorId }: SourceRow): Initiator {
  return { principal: { kind: 'person', credential: 'localToken', workspaceId, actorId }, system: true };
}
