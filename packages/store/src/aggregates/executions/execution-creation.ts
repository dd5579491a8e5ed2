import type { ExecutionRow, ExecutionStore, NewExecutionRow, RunStart } from '@executor/engine';
import { getTableColumns } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { executions } from '../../execution-schema.ts';
import { columnNames, toValues } from '../../records.ts';
import type { Statement } from '../../statement.ts';
import { eventParameters, insertEvents } from './events.ts';
import { executionColumns, toExecution } from './execution-row.ts';
import type { RunParts } from './run-parts.ts';

/** Creates a run: its row, its first events and its wake-up in one statement. */
export function executionCreation({ database, changes, wakeUps }: RunParts): ExecutionStore['create'] {
  return async (execution, events, start) => {
    const statement = start.type === 'queued' ? createStatement(await wakeUps.insertion()) : createAlone;
    const row = newRow(execution, start, events.length);
    for (;;) {
      const created = await database.query(statement, [
        ...eventParameters(events),
        events.length,
        start.type === 'leased' ? start.ttlMs : 0,
        ...toValues(writtenColumns, { ...row, ...hiddenColumnsOf(execution, start) }),
      ]);
      if (created.length > 0) {
        changes.execution(execution.workspaceId, execution.id, { status: row.status });
        if (start.type === 'queued') wakeUps.sent();
        return { execution: row, created: true };
      }
      const existing = await findByKey(database, execution);
      // If the run was just removed, the key is free again.
      if (existing) return { execution: existing, created: false };
    }
  };
}

function newRow(execution: NewExecutionRow, start: RunStart, lastSeq: number): ExecutionRow {
  const { createdAt } = execution;
  const unfinished = {
    result: null,
    error: null,
    omitted: null,
    usage: null,
    finishedAt: null,
    wakeAt: null,
  };
  const row = { ...execution, ...unfinished, startedAt: null, lastSeq };
  switch (start.type) {
    case 'leased':
      return { ...row, status: 'running', startedAt: createdAt };
    case 'ended':
      return { ...row, ...start.ending, startedAt: start.startedAt };
    case 'queued':
      return { ...row, status: 'queued' };
  }
}

/** The start of the code, for lists. It never splits a surrogate pair. */
const excerptLength = 200;

function hiddenColumnsOf({ code }: NewExecutionRow, start: RunStart) {
  return {
    codeExcerpt: code.slice(0, excerptLength).replace(/[\uD800-\uDBFF]$/, ''),
    leaseOwner: start.type === 'leased' ? start.owner : null,
    leaseEpoch: start.type === 'leased' ? 1 : 0,
    lastBatch: 0,
  };
}

const { leaseUntil: _leaseUntil, runnableAt: _runnableAt, ...writtenColumns } = getTableColumns(executions);

function createStatement(wakeUp: string): Statement {
  const values = Object.keys(writtenColumns).map((_, index) => `$${7 + index}`);
  return {
    name: `execution-create${wakeUp && '-queued'}`,
    text: `
      with run as (
        insert into executions (lease_until, ${columnNames(writtenColumns)})
        values (clock_timestamp() + $6 * interval '1 ms', ${values.join(', ')})
        on conflict (workspace_id, owner_id, idempotency_key) where idempotency_key is not null do nothing
        returning id, workspace_id, last_seq, wake_at
      ), journal as (${insertEvents(['$1', '$2', '$3', '$4', '$5'])})${wakeUp}
      select id from run`,
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
