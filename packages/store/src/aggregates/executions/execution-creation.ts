import type { ExecutionRow, ExecutionStore, NewExecutionRow, NewRunLimits, RunStart } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { getTableColumns } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { executions } from '../../execution-schema.ts';
import { columnNames, toValues } from '../../records.ts';
import type { Statement } from '../../statement.ts';
import { fitsWithin, limitValues, noLimit, payloadBytes, usedBy } from '../usage/limits.ts';
import { eventBytes, eventParameters, insertEvents, textBytes } from './events.ts';
import { executionColumns, toExecution } from './execution-row.ts';
import type { RunParts } from './run-parts.ts';

/** Creates a run: its row, its first events, its expected answer and its wake-up in one statement. */
export function executionCreation({ database, changes, wakeUps }: RunParts): ExecutionStore['create'] {
  return async (execution, events, start, { limits = noLimits, awaited } = {}) => {
    const statement = start.type === 'queued' ? createStatement(await wakeUps.insertion()) : createAlone;
    const row = newRow(execution, start, events.length);
    const values = toValues(writtenColumns, { ...row, ...hiddenColumnsOf(execution, start) });
    const journal = eventParameters(events);
    const bytes = overheadBytes + textBytes(values) + eventBytes(journal);
    for (;;) {
      const [created] = await database.query<{ id: string | null; fits: boolean; live: boolean }>(statement, [
        ...[...journal, events.length, start.type === 'leased' ? start.ttlMs : 0],
        ...[bytes, limitValues(limits.bytes), limitValues(limits.runs)],
        ...[awaited?.codeHash ?? null, awaited?.withinMs ?? null, changes.processId],
        ...values,
      ]);
      if (created?.id) {
        changes.execution(execution.workspaceId, execution.id, { status: row.status });
        if (start.type === 'queued') wakeUps.sent();
        return { execution: row, created: true };
      }
      if (created?.live === false) throw revoked();
      const existing = await findByKey(database, execution);
      // If the run was just removed, the key is free again.
      if (existing) return { execution: existing, created: false };
      if (created?.fits === false) throw overLimit();
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
    removed: null,
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

const {
  leaseUntil: _leaseUntil,
  runnableAt: _runnableAt,
  storedBytes: _storedBytes,
  chargedBytes: _chargedBytes,
  hasPayload: _hasPayload,
  lostLeases: _lostLeases,
  loneLosses: _loneLosses,
  lostEpoch: _lostEpoch,
  ...writtenColumns
} = getTableColumns(executions);

/** The parameters before it are those of the journal, the lease, the limits and the delivery. */
const firstColumn = 13;

function createStatement(wakeUp: string): Statement {
  const parameters = Object.values(writtenColumns).map(
    (column, index) => `$${firstColumn + index}::${column.getSQLType()}`,
  );
  const owner = {
    workspaceId: parameterOf('workspaceId'),
    ownerId: parameterOf('ownerId'),
  };
  const credential = parameterOf('credentialId');
  const fits = `${fitsWithin('bytes', '$7::bigint', '$8')} and ${fitsWithin('runs', '1', '$9')}`;
  return {
    name: `execution-create${wakeUp && '-queued'}`,
    text: `
      with ${usedBy(owner)}, key as (
        select revoked_at from api_keys
        where id in (${parameterOf('ownerId')}, ${credential}, (select api_key_id from sessions where id = ${credential})) for share
      ), run as (
        insert into executions (lease_until, stored_bytes, charged_bytes, has_payload, ${columnNames(writtenColumns)})
        select clock_timestamp() + $6 * interval '1 ms', $7::bigint, $7::bigint, $7::bigint > ${payloadBytes}, ${parameters.join(', ')}
        from used where ${fits} and ${isLive}
        on conflict (workspace_id, owner_id, idempotency_key) where idempotency_key is not null do nothing
        returning id, workspace_id, owner_id, principal_kind, last_seq, wake_at
      ), charged as (
        insert into stored_usage (workspace_id, owner_id, kind, bytes, runs)
        select workspace_id, owner_id, principal_kind, $7::bigint, 1 from run
        on conflict (workspace_id, owner_id) do update
        set bytes = stored_usage.bytes + excluded.bytes, runs = stored_usage.runs + excluded.runs
      ), delivery as (
        insert into deliveries (execution_id, owner_id, code_hash, created_at, lost_at, shown, waits_in)
        select id, owner_id, $10, clock_timestamp(), clock_timestamp() + $11::float8 * interval '1 ms', '[]', $12
        from run where $10::text is not null
      ), journal as (${insertEvents(['$1', '$2', '$3', '$4', '$5'])})${wakeUp}
      select (select id from run) as id, ${fits} as fits, ${isLive} as live from used`,
  };
}

/** The lock makes a revocation wait for the new run, so that it ends the run, or the run wait for the revocation. */
const isLive = 'not exists (select from key where revoked_at is not null)';

/** A parameter of `createStatement`. */
function parameterOf(column: keyof typeof writtenColumns): string {
  return `$${firstColumn + Object.keys(writtenColumns).indexOf(column)}`;
}

/** What a row needs besides its texts. */
const overheadBytes = 300;

const noLimits: NewRunLimits = { bytes: noLimit, runs: noLimit };

function revoked(): ExecutorError {
  return new ExecutorError('unauthenticated', 'This key was revoked, so nothing was started.');
}

function overLimit(): ExecutorError {
  return new ExecutorError('quotaExceeded', 'The owner of the run has no room for another one.');
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
