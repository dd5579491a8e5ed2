import type { ExecutionStore, Lease } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { getTableColumns } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { interactions } from '../../execution-schema.ts';
import { columnNames, columnTypes, toRecords, toValues } from '../../records.ts';
import { audit } from '../../schema.ts';
import type { Statement } from '../../statement.ts';
import { fitsWithin, limitValues, payloadBytes, usedBy } from '../usage/limits.ts';
import { eventBytes, eventParameters, insertEvents, textBytes } from './events.ts';
import { executionColumns } from './execution-row.ts';
import type { RunParts } from './run-parts.ts';

/**
 * Appends to runs and ends them. Each function is one statement: one round trip, one transaction and one disk sync for any number of
 * events. Postgres re-evaluates a row after waiting for its lock, so of two concurrent writers the second continues from the first.
 */
export function executionJournal({
  database,
  changes,
}: RunParts): Pick<ExecutionStore, 'append' | 'finish' | 'appendOutcome'> {
  return {
    async append(lease, batch, { events, status, leaseMs, charge, ...extra }) {
      const { ask = [], settle = [], audit: entries = [] } = extra;
      const journal = eventParameters(events);
      const asked = ask.length > 0 ? toRecords(newInteractionColumns, ask) : '';
      const parts: Part[] = [
        ...(ask.length > 0 ? [{ name: 'ask', values: [asked] } as const] : []),
        ...(settle.length > 0 ? [{ name: 'settle', values: [JSON.stringify(settle)] } as const] : []),
        ...(entries.length > 0
          ? [{ name: 'audit', values: [toRecords(auditColumns, entries)] } as const]
          : []),
        ...(charge ? [{ name: 'charge', values: [limitValues(charge)] } as const] : []),
      ];
      const [row] = await database.query<AppendedRecord>(appendStatement(parts), [
        ...[lease.id, lease.owner, lease.epoch, batch],
        ...[...journal, events.length],
        ...[status ?? null, leaseMs ?? null, eventBytes(journal) + Buffer.byteLength(asked)],
        ...parts.flatMap(({ values }) => values),
      ]);
      if (!row) return requireRepeated(database, lease, batch);
      changes.execution(row.workspace_id, lease.id, { status });
      return { seq: row.last_seq, ...(charge && { isOverLimit: !row.fits }) };
    },

    async appendOutcome({ id, owner, epoch }, batch, outcome) {
      const journal = eventParameters([outcome]);
      const [row] = await database.query<{ workspace_id: string }>(outcomeStatement, [
        ...[id, owner, epoch, batch],
        ...[...journal, 1],
        ...[eventBytes(journal), outcome.index],
      ]);
      if (row) changes.execution(row.workspace_id, id, {});
      return row !== undefined;
    },

    async finish(lease, batch, { events, ...ending }) {
      const journal = eventParameters(events);
      const values = toValues(endingColumns, ending);
      const [row] = await database.query<{ workspace_id: string }>(finishStatement, [
        ...[lease.id, lease.owner, lease.epoch, batch],
        ...[...journal, events.length],
        ...values,
        eventBytes(journal) + textBytes(values),
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

const auditColumns = getTableColumns(audit);

/** Matches the run's row if this lease may write to it and this batch is new. */
const held = 'id = $1 and lease_owner = $2 and lease_epoch = $3 and last_batch < $4 and finished_at is null';

const written = insertEvents(['$5', '$6', '$7', '$8', '$9']);

const asking = (parameter: string) => `, asked as (
    insert into interactions (${columnNames(newInteractionColumns)}, status)
    select ${columnNames(newInteractionColumns, 'new.')}, 'pending'
    from run, json_to_recordset(${parameter}::json) as new(${columnTypes(newInteractionColumns)})
  )`;

const settling = (parameter: string) => `, settled as (
    update interactions set status = settle.status, resolved_at = settle.at
    from run, json_to_recordset(${parameter}::json) as settle(id text, status text, at timestamptz)
    where interactions.id = settle.id and interactions.execution_id = run.id and interactions.status = 'pending'
  )`;

const auditing = (parameter: string) => `, audited as (
    insert into audit (${columnNames(auditColumns)})
    select ${columnNames(auditColumns, 'new.')} from run, json_to_recordset(${parameter}::json) as new(${columnTypes(auditColumns)})
  )`;

const charging = () => `, charged as (
    update stored_usage set bytes = stored_usage.bytes + run.charge from run
    where stored_usage.workspace_id = run.workspace_id and stored_usage.owner_id = run.owner_id
  ), ${usedBy({ workspaceId: '(select workspace_id from run)', ownerId: '(select owner_id from run)' })}`;

const partTexts = { ask: asking, settle: settling, audit: auditing, charge: charging };

/** A part that most writes do not have, with its parameters. */
interface Part {
  name: keyof typeof partTexts;
  values: readonly unknown[];
}

interface AppendedRecord {
  workspace_id: string;
  last_seq: number;
  fits?: boolean;
}

/** The row before the change, which says how much the owner was charged. */
const before = `before as materialized (select id as run_id, charged_bytes from executions where ${held} for update)`;

/** One statement for each combination of parts. Most writes have none. */
function appendStatement(parts: Part[]): Statement {
  const name = `execution-append${parts.map((part) => `-${part.name}`).join('')}`;
  const known = appendStatements.get(name);
  if (known) return known;
  const charges = parts.some((part) => part.name === 'charge');
  const text = `
      with ${charges ? `${before}, ` : ''}run as (
        update executions
        set last_seq = last_seq + $9, last_batch = $4, status = coalesce($10, status),
          lease_until = greatest(lease_until, clock_timestamp() + $11::float8 * interval '1 ms'),
          stored_bytes = stored_bytes + $12::bigint${charges ? ', charged_bytes = stored_bytes + $12::bigint' : ''}
        ${charges ? 'from before where id = run_id' : `where ${held}`}
        returning id, workspace_id, owner_id, last_seq${charges ? ', stored_bytes - before.charged_bytes as charge' : ''}
      ), journal as (${written})${parts.map((part, index) => partTexts[part.name](`$${13 + index}`)).join('')}
      select workspace_id, last_seq${charges ? `, ${fitsWithin('bytes', 'run.charge', `$${12 + parts.length}`)} as fits` : ''}
      from run${charges ? ', used' : ''}`;
  const statement = { name, text };
  appendStatements.set(name, statement);
  return statement;
}

const appendStatements = new Map<string, Statement>();

const finishStatement: Statement = {
  name: 'execution-finish',
  text: `
    with ${before}, run as (
      update executions
      set last_seq = last_seq + $9, last_batch = $4, wake_at = null, lease_until = clock_timestamp(),
        (${columnNames(endingColumns)}) = row($10, $11, $12, $13, $14, $15),
        stored_bytes = stored_bytes + $16::bigint, charged_bytes = stored_bytes + $16::bigint,
        has_payload = stored_bytes + $16::bigint > ${payloadBytes} or exists (select from artifacts where execution_id = $1)
      from before where id = run_id
      returning id, workspace_id, owner_id, last_seq, finished_at, stored_bytes - before.charged_bytes as charge
    ), journal as (${written}), charged as (
      update stored_usage set bytes = stored_usage.bytes + run.charge from run
      where stored_usage.workspace_id = run.workspace_id and stored_usage.owner_id = run.owner_id
    ), withdrawn as (
      update interactions set status = 'withdrawn', resolved_at = run.finished_at
      from run where interactions.execution_id = run.id and interactions.status = 'pending'
    )
    select workspace_id from run`,
};

const hasEvent = (...types: string[]) =>
  `exists (select from events where execution_id = $1 and call_index = $11 and type in ('${types.join("', '")}'))`;

/** The number of the batch prevents that a repeated statement, which waited for the row, writes the outcome twice. */
const outcomeStatement: Statement = {
  name: 'execution-append-outcome',
  text: `
    with run as (
      update executions
      set last_seq = last_seq + $9, last_batch = $4,
        stored_bytes = stored_bytes + $10::bigint, charged_bytes = charged_bytes + $10::bigint
      where id = $1 and lease_owner = $2 and lease_epoch = $3 and last_batch < $4
        and (status in ('completed', 'failed') or status = 'cancelled' and error::json ->> 'code' = 'keyRevoked')
        and ${hasEvent('call.dispatched', 'call.decided')} and not ${hasEvent('call.completed')}
      returning id, workspace_id, owner_id, last_seq
    ), journal as (${written}), charged as (
      update stored_usage set bytes = stored_usage.bytes + $10::bigint from run
      where stored_usage.workspace_id = run.workspace_id and stored_usage.owner_id = run.owner_id
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
