import type { ExecutionStore, Lease } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { getTableColumns } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { interactions } from '../../execution-schema.ts';
import { columnNames, columnTypes, toRecords, toValues } from '../../records.ts';
import type { Statement } from '../../statement.ts';
import { eventParameters, insertEvents } from './events.ts';
import { executionColumns } from './execution-row.ts';
import type { RunParts } from './run-parts.ts';

/**
 * Appends to runs and ends them. Each function is one statement: one round trip, one transaction and one disk sync for any number of
 * events. Postgres re-evaluates a row after waiting for its lock, so of two concurrent writers the second continues from the first.
 */
export function executionJournal({ database, changes }: RunParts): Pick<ExecutionStore, 'append' | 'finish'> {
  return {
    async append(lease, batch, { events, status, ask = [], settle = [], leaseMs }) {
      const statement = appendStatements[ask.length > 0 ? 1 : 0][settle.length > 0 ? 1 : 0];
      const [row] = await database.query<{ workspace_id: string; last_seq: number }>(statement, [
        ...[lease.id, lease.owner, lease.epoch, batch],
        ...[...eventParameters(events), events.length],
        ...[status ?? null, leaseMs ?? null],
        ...(ask.length > 0 ? [toRecords(newInteractionColumns, ask)] : []),
        ...(settle.length > 0 ? [JSON.stringify(settle)] : []),
      ]);
      if (!row) return requireRepeated(database, lease, batch);
      changes.execution(row.workspace_id, lease.id, { status });
      return { seq: row.last_seq };
    },

    async finish(lease, batch, { events, ...ending }) {
      const [row] = await database.query<{ workspace_id: string }>(finishStatement, [
        ...[lease.id, lease.owner, lease.epoch, batch],
        ...[...eventParameters(events), events.length],
        ...toValues(endingColumns, ending),
      ]);
      if (row) changes.execution(row.workspace_id, lease.id, { status: ending.status });
      else await requireRepeated(database, lease, batch);
    },
  };
}

const { status, result, error, omitted, usage, finishedAt } = executionColumns;
const endingColumns = { status, result, error, omitted, usage, finishedAt };

const {
  status: _status,
  resolvedAt: _resolvedAt,
  resolution: _resolution,
  ...newInteractionColumns
} = getTableColumns(interactions);

/** Matches the run's row if this lease may write to it and this batch is new. */
const held = 'id = $1 and lease_owner = $2 and lease_epoch = $3 and last_batch < $4 and finished_at is null';

const written = insertEvents(['$5', '$6', '$7', '$8', '$9']);

const asking = `, asked as (
    insert into interactions (${columnNames(newInteractionColumns)}, status)
    select ${columnNames(newInteractionColumns, 'new.')}, 'pending'
    from run, json_to_recordset($12::json) as new(${columnTypes(newInteractionColumns)})
  )`;

const settling = (parameter: string) => `, settled as (
    update interactions set status = settle.status, resolved_at = settle.at
    from run, json_to_recordset(${parameter}::json) as settle(id text, status text, at timestamptz)
    where interactions.id = settle.id and interactions.execution_id = run.id and interactions.status = 'pending'
  )`;

function appendStatement(name: string, more: string): Statement {
  return {
    name: `execution-append${name}`,
    text: `
      with run as (
        update executions
        set last_seq = last_seq + $9, last_batch = $4, status = coalesce($10, status),
          lease_until = greatest(lease_until, clock_timestamp() + $11::float8 * interval '1 ms')
        where ${held}
        returning id, workspace_id, last_seq
      ), journal as (${written})${more}
      select workspace_id, last_seq from run`,
  };
}

/** One statement per combination of opening and settling interactions; most writes do neither. */
const appendStatements = [
  [appendStatement('', ''), appendStatement('-settle', settling('$12'))],
  [appendStatement('-ask', asking), appendStatement('-ask-settle', asking + settling('$13'))],
] as const;

const finishStatement: Statement = {
  name: 'execution-finish',
  text: `
    with run as (
      update executions
      set last_seq = last_seq + $9, last_batch = $4, wake_at = null, lease_until = clock_timestamp(),
        (${columnNames(endingColumns)}) = row($10, $11, $12, $13, $14, $15)
      where ${held}
      returning id, workspace_id, last_seq, finished_at
    ), journal as (${written}), withdrawn as (
      update interactions set status = 'withdrawn', resolved_at = run.finished_at
      from run where interactions.execution_id = run.id and interactions.status = 'pending'
    )
    select workspace_id from run`,
};

/** Nothing was written: either the batch was committed before and its acknowledgement was lost, or the lease is gone. */
async function requireRepeated(
  database: Database,
  { id, owner, epoch }: Lease,
  batch: number,
): Promise<{ seq: number }> {
  const [row] = await database.query<{ last_seq: number }>(repeatedStatement, [id, owner, epoch, batch]);
  if (row) return { seq: row.last_seq };
  throw leaseLost(id);
}

const repeatedStatement = {
  name: 'execution-repeated',
  text: 'select last_seq from executions where id = $1 and lease_owner = $2 and lease_epoch = $3 and last_batch >= $4',
};

export function leaseLost(id: string): ExecutorError {
  return new ExecutorError(
    'leaseLost',
    `This worker no longer holds the run ${id}: another worker took it, or it has ended. Nothing was written.`,
    { details: { executionId: id } },
  );
}
