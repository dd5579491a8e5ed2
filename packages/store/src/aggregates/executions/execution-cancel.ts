import type { ExecutionStore, NewAuditEntry, NewEvent } from '@executor/engine';
import type { ExecutionError } from '@executor/protocol';
import { and, eq, isNull, sql as raw } from 'drizzle-orm';
import type { Sql } from '../../database.ts';
import { executions, interactions } from '../../execution-schema.ts';
import { appendAudit } from '../audit.ts';
import { payloadBytes } from '../usage/limits.ts';
import { eventParameters, insertEvents } from './events.ts';
import type { RunParts } from './run-parts.ts';

interface Cancellation {
  workspaceId: string;
  id: string;
  events: { requested: NewEvent; cancelled: NewEvent };
  audit: NewAuditEntry;
}

/** The holder ends a held run, because only the holder knows which calls are in flight. */
export async function cancelExecution(
  { database, changes }: RunParts,
  { workspaceId, id, events, audit }: Cancellation,
): ReturnType<ExecutionStore['cancel']> {
  const outcome = await database.transaction(async (sql) => {
    const run = await lockRun(sql, workspaceId, id);
    if (!run) return undefined;
    if (run.finishedAt !== null) return 'finished';
    await appendAudit(sql, audit);
    if (run.isHeld) {
      await appendToRun(sql, id, [events.requested]);
      return 'requested';
    }
    await appendToRun(sql, id, [events.requested, events.cancelled]);
    await endAsCancelled(sql, id, { at: events.cancelled.at });
    return 'cancelled';
  });
  if (outcome === 'cancelled') changes.execution(workspaceId, id, { status: 'cancelled' });
  if (outcome === 'requested') changes.execution(workspaceId, id, { forHolder: true });
  return outcome;
}

async function lockRun(sql: Sql, workspaceId: string, id: string) {
  const isHeld = raw<boolean>`${executions.leaseOwner} is not null and ${executions.leaseUntil} > clock_timestamp()`;
  const [run] = await sql
    .select({ finishedAt: executions.finishedAt, isHeld })
    .from(executions)
    .where(and(eq(executions.workspaceId, workspaceId), eq(executions.id, id)))
    .for('update');
  return run;
}

/** Ends all unfinished runs of a revoked key, also those that are held: their holders can commit nothing any more. */
export async function endRunsOfKey(
  sql: Sql,
  { workspaceId, id: keyId, actorId, at }: { workspaceId: string; id: string; actorId: string; at: Date },
): Promise<{ ids: string[]; questions: number }> {
  const runs = await sql
    .select({ id: executions.id })
    .from(executions)
    .where(and(eq(executions.workspaceId, workspaceId), startedWith(keyId), isNull(executions.finishedAt)))
    .orderBy(executions.id)
    .for('update');
  const reason = 'keyRevoked' as const;
  let questions = 0;
  for (const { id } of runs) {
    await appendToRun(sql, id, [
      { type: 'execution.cancelRequested', actorId, reason, at },
      { type: 'execution.cancelled', reason, at },
    ]);
    questions += await endAsCancelled(sql, id, { at, error: keyRevoked });
  }
  return { ids: runs.map(({ id }) => id), questions };
}

/** The key owns the run, or a person started it with the key or with a session that the key opened. */
function startedWith(keyId: string) {
  const opened = raw`(select id from sessions where api_key_id = ${keyId})`;
  return raw`(${executions.ownerId} = ${keyId} or ${executions.credentialId} = ${keyId} or ${executions.credentialId} in ${opened})`;
}

const keyRevoked = {
  code: 'keyRevoked',
  message: 'The key that started this run was revoked, so Executor cancelled the run.',
};

/** Returns the number of withdrawn questions. */
async function endAsCancelled(
  sql: Sql,
  id: string,
  { at, error = null }: { at: Date; error?: ExecutionError | null },
): Promise<number> {
  await sql
    .update(executions)
    .set({ status: 'cancelled', finishedAt: at, wakeAt: null, error })
    .where(eq(executions.id, id));
  await sql.execute(chargeRest(id));
  const withdrawn = await sql
    .update(interactions)
    .set({ status: 'withdrawn', resolvedAt: at })
    .where(and(eq(interactions.executionId, id), eq(interactions.status, 'pending')))
    .returning({ id: interactions.id });
  return withdrawn.length;
}

/** The last holder may have written a part that was not charged yet. */
function chargeRest(id: string) {
  return raw`
    with charged as (
      update stored_usage set bytes = stored_usage.bytes + stored_bytes - charged_bytes from executions
      where executions.id = ${id} and stored_usage.workspace_id = executions.workspace_id
        and stored_usage.owner_id = executions.owner_id
    )
    update executions set charged_bytes = stored_bytes,
      has_payload = stored_bytes > ${raw.raw(String(payloadBytes))} or exists (select from artifacts where execution_id = ${id})
    where id = ${id}`;
}

/** Appends to the journal of a run without a lease. The caller's transaction must have locked the run's row. */
async function appendToRun(sql: Sql, id: string, events: NewEvent[]): Promise<void> {
  const statement = `
    with run as (
      update executions set last_seq = last_seq + $5 where id = $6 returning id, workspace_id, last_seq
    )
    ${insertEvents(['$1', '$2', '$3', '$4', '$5'])}`;
  const values = [...eventParameters(events), events.length, id];
  const parts = statement.split(/\$(\d)/);
  await sql.execute(
    raw.join(
      parts.map((part, index) =>
        index % 2 === 0 ? raw.raw(part) : raw`${raw.param(values[Number(part) - 1])}`,
      ),
    ),
  );
}
