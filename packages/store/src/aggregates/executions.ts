import type { ExecutionStore } from '@executor/engine';
import { cancelExecution } from './execution-cancel.ts';
import { executionCreation } from './execution-creation.ts';
import { executionJournal } from './execution-journal.ts';
import { executionLeases } from './execution-leases.ts';
import { executionReads } from './execution-reads.ts';
import { removeFinishedExecutions } from './execution-removal.ts';
import type { RunParts } from './run-parts.ts';

export function executionStore(parts: RunParts): ExecutionStore {
  return {
    ...executionReads(parts.database),
    ...executionLeases(parts),
    create: executionCreation(parts),
    ...executionJournal(parts),
    cancel: (workspaceId, id, events, audit) => cancelExecution(parts, { workspaceId, id, events, audit }),
    removeFinished: (workspaceId, before, limit) =>
      removeFinishedExecutions(parts.database, { workspaceId, before, limit }),
  };
}
