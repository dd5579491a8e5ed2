import type { ExecutionRow, ExecutionStore, NewExecutionRow, RunStart } from '@executor/engine';
import { getTableColumns } from 'drizzle-orm';
import type { Database, Statement } from '../database.ts';
import { executions } from '../execution-schema.ts';
import { columnNames, columnTypes, toRecords } from '../records.ts';
import { eventParameters, insertEvents } from './events.ts';
import { executionColumns, toExecution } from './execution-row.ts';
import type { RunParts } from './run-parts.ts';

/** How runs begin: the row, its first events and the wake-up in one statement. */
export function executionCreation({ database, changes, wakeUps }: RunParts): ExecutionStore['create'] {
  return async (execution, events, start) => {
    const statement = start.type === 'queued' ? createStatement(await wakeUps.insertion()) : createAlone;
    for (;;) {
      const [row] = await database.query(statement, [
        toRecords(newColumns, [newRow(execution, start)]),
        start.type === 'leased' ? start.ttlMs : 0,
        ...eventParameters(events),
        events.length,
      ]);
      if (row) {
        changes.execution(execution.workspaceId, execution.id, {
          status: start.type === 'leased' ? 'running' : start.type,
        });
        if (start.type === 'queued') wakeUps.sent();
        return { execution: toExecution(row), created: true };
      }
      const existing = await findByKey(database, execution);
      // Where it has just been removed, the key is free again.
      if (existing) return { execution: existing, created: false };
    }
  };
}

const {
  lastSeq: _lastSeq,
  leaseUntil: _leaseUntil,
  runnableAt: _runnableAt,
  ...newColumns
} = getTableColumns(executions);

/** For lists. A cut through the middle of a character would leave half of it. */
const excerptLength = 200;

function newRow(execution: NewExecutionRow, start: RunStart) {
  const codeExcerpt = execution.code.slice(0, excerptLength).replace(/[\uD800-\uDBFF]$/, '');
  const row = { ...execution, codeExcerpt, status: start.type, leaseEpoch: 0, lastBatch: 0 };
  const { createdAt: at } = execution;
  switch (start.type) {
    case 'leased':
      return { ...row, status: 'running', leaseOwner: start.owner, leaseEpoch: 1, startedAt: at };
    case 'failed':
      return { ...row, error: start.error, finishedAt: at };
    case 'queued':
      return row;
  }
}

function createStatement(wakeUp: string): Statement {
  return {
    name: `execution-create${wakeUp && '-queued'}`,
    text: `
      with run as (
        insert into executions (${columnNames(newColumns)}, last_seq, lease_until)
        select ${columnNames(newColumns)}, $7, clock_timestamp() + $2 * interval '1 ms'
        from json_to_recordset($1::json) as new(${columnTypes(newColumns)})
        on conflict (workspace_id, owner_id, idempotency_key) where idempotency_key is not null do nothing
        returning ${columnNames(executionColumns)}
      ), journal as (${insertEvents(['$3', '$4', '$5', '$6', '$7'])})${wakeUp}
      select * from run`,
  };
}

const createAlone = createStatement('');

async function findByKey(
  database: Database,
  { workspaceId, ownerId, idempotencyKey }: NewExecutionRow,
): Promise<ExecutionRow | undefined> {
  const [row] = await database.query(findByKeyStatement, [workspaceId, ownerId, idempotencyKey]);
  return row && toExecution(row);
}

const findByKeyStatement = {
  name: 'execution-find-by-key',
  text: `select ${columnNames(executionColumns)} from executions where workspace_id = $1 and owner_id = $2 and idempotency_key = $3`,
};
