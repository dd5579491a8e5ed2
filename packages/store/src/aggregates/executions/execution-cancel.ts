import type { ExecutionStore, NewAuditEntry, NewEvent } from '@executor/engine';
import { and, eq, sql as raw } from 'drizzle-orm';
import type { Sql } from '../../database.ts';
import { executions, interactions } from '../../execution-schema.ts';
import { appendAudit } from '../audit.ts';
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
    await endAsCancelled(sql, id, events.cancelled.at);
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

async function endAsCancelled(sql: Sql, id: string, at: Date): Promise<void> {
  await sql
    .update(executions)
    .set({ status: 'cancelled', finishedAt: at, wakeAt: null })
    .where(eq(executions.id, id));
  await sql
    .update(interactions)
    .set({ status: 'withdrawn', resolvedAt: at })
    .where(and(eq(interactions.executionId, id), eq(interactions.status, 'pending')));
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
