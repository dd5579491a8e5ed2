import type { Database } from '../database.ts';
import type { Statement } from '../statement.ts';

interface Removal {
  workspaceId: string;
  before: Date;
  limit: number;
}

/** Questions and artifacts go with their run by their foreign keys; what people did stays in the audit. */
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
