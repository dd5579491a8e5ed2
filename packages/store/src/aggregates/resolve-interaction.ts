import {
  type InteractionRow,
  type InteractionStore,
  type NewAuditEntry,
  resolvedEvent,
} from '@executor/engine';
import { and, eq, gt, isNull, or, sql as raw } from 'drizzle-orm';
import type { Sql } from '../database.ts';
import { executions, interactions } from '../execution-schema.ts';
import { appendToRun } from './append-to-run.ts';
import { appendAudit } from './audit.ts';
import { insertPolicy } from './policies.ts';
import type { RunParts } from './run-parts.ts';

type Answer = Parameters<InteractionStore['resolve']>[2];
type Outcome = Awaited<ReturnType<InteractionStore['resolve']>>;

interface Resolving {
  workspaceId: string;
  id: string;
  answer: Answer;
  audit: NewAuditEntry[];
}

/** Whoever answers, expires, withdraws or ends takes the lock of the run's row first, so they come one after the other. */
export async function resolveInteraction(
  { database, changes, wakeUps }: RunParts,
  resolving: Resolving,
): Promise<Outcome> {
  const { workspaceId, answer } = resolving;
  const send = await wakeUps.sender();
  let woken = false;
  const outcome = await database.transaction(async (sql): Promise<Outcome> => {
    const asked = await lockAsked(sql, resolving);
    if (!asked) return undefined;
    if (!isOpen(asked, answer.at)) return { type: 'settled', row: asAt(asked, answer.at) };
    const rows = await settle(sql, asked, answer);
    await appendToRun(
      sql,
      asked.executionId,
      rows.map((row) => resolvedEvent(row, answer)),
    );
    woken = await makeRunnable(sql, asked.executionId);
    if (woken) await send(sql, asked.executionId);
    if (answer.policy) await insertPolicy(sql, answer.policy);
    for (const entry of resolving.audit) await appendAudit(sql, entry);
    return { type: 'resolved', rows };
  });
  const [resolved] = outcome?.type === 'resolved' ? outcome.rows : [];
  if (resolved) changes.execution(workspaceId, resolved.executionId, { forHolder: true });
  if (resolved && answer.policy) changes.policies(workspaceId);
  if (woken) wakeUps.sent();
  return outcome;
}

/** What stands once nobody else can change it. */
async function lockAsked(sql: Sql, { workspaceId, id }: Resolving): Promise<InteractionRow | undefined> {
  const asked = and(eq(interactions.workspaceId, workspaceId), eq(interactions.id, id));
  await sql
    .select({ id: executions.id })
    .from(executions)
    .innerJoin(interactions, eq(interactions.executionId, executions.id))
    .where(asked)
    .for('update', { of: executions });
  const [row] = await sql.select().from(interactions).where(asked);
  return row;
}

/** When a run ends, what it still asks is withdrawn in the same transaction: what is pending has a run that goes on. */
function isOpen({ status, expiresAt }: InteractionRow, at: Date): boolean {
  return status === 'pending' && (expiresAt === null || expiresAt > at);
}

/** One that has expired is called so, though its run may not have come to note it. */
function asAt(row: InteractionRow, at: Date): InteractionRow {
  return row.status === 'pending' && !isOpen(row, at) ? { ...row, status: 'expired' } : row;
}

/** Answers the one that was meant first. */
async function settle(sql: Sql, asked: InteractionRow, answer: Answer): Promise<InteractionRow[]> {
  const identical = and(
    eq(interactions.executionId, asked.executionId),
    eq(interactions.binding, asked.binding),
    // A call that may or may not have happened can have the binding of one that is still to be approved.
    eq(interactions.kind, asked.kind),
  );
  const rows = await sql
    .update(interactions)
    .set({ status: 'resolved', resolvedAt: answer.at, resolution: answer.resolution })
    .where(
      and(
        answer.identical ? identical : eq(interactions.id, asked.id),
        eq(interactions.status, 'pending'),
        or(isNull(interactions.expiresAt), gt(interactions.expiresAt, answer.at)),
      ),
    )
    .returning();
  const place = (row: InteractionRow) => (row.id === asked.id ? -1 : row.callIndex);
  return rows.sort((one, other) => place(one) - place(other));
}

/** A run that is held reads its journal before it is given back, so its holder needs no wake-up. */
async function makeRunnable(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql
    .update(executions)
    .set({ wakeAt: raw`date_trunc('milliseconds', clock_timestamp())` })
    .where(and(eq(executions.id, id), eq(executions.status, 'waiting')))
    .returning({ leaseOwner: executions.leaseOwner });
  return rows.some(({ leaseOwner }) => leaseOwner === null);
}
