import type { ExecutionStore } from '@executor/engine';
import type { Database } from '../../database.ts';
import type { Statement } from '../../statement.ts';
import { artifactBytes } from '../usage/limits.ts';
import { cancelExecution } from './execution-cancel.ts';
import { executionCreation } from './execution-creation.ts';
import { executionJournal } from './execution-journal.ts';
import { executionLeases } from './execution-leases.ts';
import { executionReads } from './execution-reads.ts';
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

interface Removal {
  workspaceId: string;
  before: Date;
  limit: number;
}

/** Foreign keys delete interactions and artifacts with their run. The audit is kept. */
async function removeFinishedExecutions(
  database: Database,
  { workspaceId, before, limit }: Removal,
): Promise<number> {
  const [row] = await database.query<{ removed: number }>(removal, [workspaceId, before, limit]);
  return row?.removed ?? 0;
}

const removal: Statement = {
  name: 'execution-remove-finished',
  text: `
    with old as (
      select id, owner_id, charged_bytes from executions where workspace_id = $1 and finished_at < $2
      order by finished_at limit $3 for update skip locked
    ), freed as (
      select owner_id, count(*) as runs, sum(charged_bytes + ${artifactBytes('old.id')}) as bytes from old group by owner_id
    ), credited as (
      update stored_usage set bytes = greatest(0, stored_usage.bytes - freed.bytes), runs = greatest(0, stored_usage.runs - freed.runs)
      from freed where stored_usage.workspace_id = $1 and stored_usage.owner_id = freed.owner_id
    ), journal as (
      delete from events using old where events.execution_id = old.id
    ), removed as (
      delete from executions using old where executions.id = old.id returning 1
    )
    select count(*)::integer as removed from removed`,
};
