import type { Database } from '../database.ts';
import type { Statement } from '../statement.ts';

interface Removal {
  workspaceId: string;
  before: Date;
  limit: number;
}

/** Foreign keys delete interactions and artifacts with their run. The audit is kept. */
export async function removeFinishedExecutions(
  database: Database,
  { workspaceId, before, limit }: Removal,
): Promise<number> {
  const [row] = await database.query<{ removed: number }>(statement, [workspaceId, before, limit]);
  return row?.removed ?? 0;
}

const statement: Statement = {
  name: 'execution-remove-finished',
  text: `
    with old as (
      select id from executions where workspace_id = $1 and finished_at < $2
      order by finished_at limit $3 for update skip locked
    ), journal as (
      delete from events using old where events.execution_id = old.id
    ), removed as (
      delete from executions using old where executions.id = old.id returning 1
    )
    select count(*)::integer as removed from removed`,
};
