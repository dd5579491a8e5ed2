import {
  type AskedRow,
  type InteractionRow,
  type InteractionStore,
  type NewAuditEntry,
  resolvedEvent,
} from '@executor/engine';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { interactions } from '../../execution-schema.ts';
import { columnNames, columnTypes, fromRecord, toRecords, toValues } from '../../records.ts';
import { audit, policies } from '../../schema.ts';
import type { Query, Statement } from '../../statement.ts';
import { eventParameters, insertEvents } from '../executions/events.ts';
import type { RunParts } from '../executions/run-parts.ts';
import { askedColumns, askedRows, toAskedRow } from './asked-row.ts';

type Answer = Parameters<InteractionStore['resolve']>[2];
type Outcome = Awaited<ReturnType<InteractionStore['resolve']>>;

interface Resolving {
  workspaceId: string;
  id: string;
  answer: Answer;
  audit: (settled: InteractionRow[]) => NewAuditEntry[];
}

/** Answering, expiring, withdrawing and ending lock the run's row first, so they are serialised. */
export async function resolveInteraction(
  { database, changes, wakeUps }: RunParts,
  resolving: Resolving,
): Promise<Outcome> {
  const { workspaceId, id, answer } = resolving;
  const note = noteStatement(await wakeUps.insertion('is_woken'));
  let woken = false;
  const outcome = await database.sequence(async (query): Promise<Outcome> => {
    // A separate statement, so that the next one reads the state after the lock.
    await query(lockStatement, [workspaceId, id]);
    const rows = await settle(query, resolving);
    if (rows.length === 0) {
      const asked = await findAsked(query, workspaceId, id);
      return asked && { type: 'settled', row: asAt(asked, answer.at) };
    }
    const events = rows.map((row) => resolvedEvent(row, answer));
    const [run] = await query<{ is_woken: boolean }>(note, [
      ...[...eventParameters(events), events.length, rows[0]?.executionId],
      toRecords(getTableColumns(audit), resolving.audit(rows)),
      toRecords(getTableColumns(policies), answer.policy ? [answer.policy] : []),
    ]);
    woken = run?.is_woken ?? false;
    return { type: 'resolved', rows };
  });
  const [resolved] = outcome?.type === 'resolved' ? outcome.rows : [];
  if (resolved) changes.execution(workspaceId, resolved.executionId, { forHolder: true });
  if (resolved && answer.policy) changes.policies(workspaceId);
  if (woken) wakeUps.sent();
  return outcome;
}

const columns = getTableColumns(interactions);

const lockStatement: Statement = {
  name: 'interaction-lock',
  text: `
    select 1 from executions
    where id = (select execution_id from interactions where workspace_id = $1 and id = $2) for update`,
};

const findStatement: Statement = {
  name: 'interaction-find',
  text: `select ${askedColumns} from ${askedRows} where interactions.workspace_id = $1 and interactions.id = $2`,
};

export async function findAsked(
  query: Query,
  workspaceId: string,
  id: string,
): Promise<AskedRow | undefined> {
  const [row] = await query(findStatement, [workspaceId, id]);
  return row && toAskedRow(row);
}

/** Ending a run withdraws its open questions in the same transaction, so a pending question always has an unfinished run. */
const isOpen = (row: string) =>
  `${row}.status = 'pending' and (${row}.expires_at is null or ${row}.expires_at > $3)`;

const settled = `update interactions set status = 'resolved', resolved_at = $3, resolution = $4`;
const returned = `returning ${columnNames(columns, 'interactions.')}`;

const settleStatement: Statement = {
  name: 'interaction-settle',
  text: `${settled} where workspace_id = $1 and id = $2 and ${isOpen('interactions')} ${returned}`,
};

/** The kind must match too: a reconcile question can have the same binding as an approval. */
const settleIdenticalStatement: Statement = {
  name: 'interaction-settle-identical',
  text: `
    with asked as (
      select execution_id, binding, kind from interactions
      where workspace_id = $1 and id = $2 and ${isOpen('interactions')}
    )
    ${settled} from asked
    where interactions.execution_id = asked.execution_id and interactions.binding = asked.binding
      and interactions.kind = asked.kind and ${isOpen('interactions')}
    ${returned}`,
};

/** Returns the requested interaction first. */
async function settle(query: Query, { workspaceId, id, answer }: Resolving): Promise<InteractionRow[]> {
  const { resolution, at, identical } = answer;
  const [resolvedAt, resolved] = toValues(
    { resolvedAt: columns.resolvedAt, resolution: columns.resolution },
    { resolvedAt: at, resolution },
  );
  const statement = identical ? settleIdenticalStatement : settleStatement;
  const rows = await query(statement, [workspaceId, id, resolvedAt, resolved]);
  const position = (row: InteractionRow) => (row.id === id ? -1 : row.callIndex);
  return rows
    .map((row) => fromRecord<InteractionRow>(columns, row))
    .sort((one, other) => position(one) - position(other));
}

/** An expired question is reported as expired even if its run has not recorded it yet. */
function asAt(row: AskedRow, at: Date): AskedRow {
  const isOver = row.status === 'pending' && row.expiresAt !== null && row.expiresAt <= at;
  return isOver ? { ...row, status: 'expired' } : row;
}

/** The effects of an answer. A holder reads the journal before it releases a run, so it needs no wake-up. */
function noteStatement(wakeUp: string): Statement {
  return {
    name: 'interaction-note',
    text: `
      with run as (
        update executions set last_seq = last_seq + $5,
          wake_at = case when status = 'waiting' then date_trunc('milliseconds', clock_timestamp()) else wake_at end
        where id = $6
        returning id, workspace_id, last_seq, wake_at, (status = 'waiting' and lease_owner is null) as is_woken
      ), journal as (${insertEvents(['$1', '$2', '$3', '$4', '$5'])})${wakeUp}
      ${insertAll(audit, '$7')}
      ${insertAll(policies, '$8')}
      select is_woken from run`,
  };
}

function insertAll(table: typeof audit | typeof policies, parameter: string): string {
  const columns = getTableColumns(table);
  const name = getTableName(table);
  return `, new_${name} as (
    insert into ${name} (${columnNames(columns)})
    select ${columnNames(columns)} from json_to_recordset(${parameter}::json) as new(${columnTypes(columns)})
  )`;
}
