import type { ExecutionStore, FeedRow, StoredEvent } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { executions } from '../execution-schema.ts';
import { columnNames } from '../records.ts';
import type { Statement } from '../statement.ts';
import { type EventRecord, toStoredEvent } from './events.ts';
import { executionColumns, toExecution } from './execution-row.ts';
import { toPage } from './page.ts';

type Reads = Pick<ExecutionStore, 'find' | 'list' | 'events' | 'feed' | 'feedEnd'>;

export function executionReads(database: Database): Reads {
  return {
    async find(workspaceId, id) {
      const [row] = await database.query(findStatement, [workspaceId, id]);
      return row && toExecution(row);
    },

    async list(workspaceId, { status, clientId, ownerId }, page) {
      const rows = await database.run((sql) =>
        sql
          .select(listed)
          .from(executions)
          .where(
            and(
              eq(executions.workspaceId, workspaceId),
              status && eq(executions.status, status),
              clientId === undefined ? undefined : eq(executions.clientId, clientId),
              ownerId === undefined ? undefined : eq(executions.ownerId, ownerId),
              page.cursor === undefined ? undefined : lt(executions.id, page.cursor),
            ),
          )
          .orderBy(desc(executions.id))
          .limit(page.limit + 1),
      );
      return toPage(rows, page);
    },

    async events(id, { afterSeq, limit, types }): Promise<StoredEvent[]> {
      const rows = await database.query<EventRecord>(eventsStatement, [id, afterSeq, limit, types ?? null]);
      return rows.map(toStoredEvent);
    },

    async feed(workspaceId, { after = beginning, limit }): Promise<FeedRow[]> {
      const rows = await database.query<FeedRecord>(feedStatement, [
        workspaceId,
        ...fromCursor(after),
        limit,
      ]);
      return rows.map(({ tx, execution_id: id, seq, at, data }) => {
        const event = toStoredEvent({ seq, at, data });
        const subject = /^source\./.test(event.type) ? { sourceId: id } : { executionId: id };
        return { cursor: toCursor(tx, id, seq), ...subject, event };
      });
    },

    async feedEnd() {
      const [row] = await database.query<{ tx: string }>(feedEndStatement, []);
      return row ? toCursor(row.tx, '', 0) : beginning;
    },
  };
}

const listed = {
  id: executions.id,
  workspaceId: executions.workspaceId,
  actorId: executions.actorId,
  clientId: executions.clientId,
  runtimeId: executions.runtimeId,
  status: executions.status,
  error: executions.error,
  createdAt: executions.createdAt,
  startedAt: executions.startedAt,
  finishedAt: executions.finishedAt,
  codeExcerpt: executions.codeExcerpt,
  // Written out: Drizzle leaves the names of tables away in the columns of a select from one table.
  pendingInteractions: sql<number>`(
    select count(*)::integer from interactions
    where interactions.execution_id = executions.id and interactions.status = 'pending'
  )`,
};

const findStatement: Statement = {
  name: 'execution-find',
  text: `select ${columnNames(executionColumns)} from executions where workspace_id = $1 and id = $2`,
};

const eventsStatement: Statement = {
  name: 'execution-events',
  text: `
    select seq, at, data from events
    where execution_id = $1 and seq > $2 and ($4::text[] is null or type = any($4)) order by seq limit $3`,
};

interface FeedRecord extends EventRecord {
  tx: string;
  execution_id: string;
}

/**
 * Ordered by the transactions that wrote the events, and only as far as every transaction up to there has ended: what commits late takes
 * a place after all that was shown before, so the order never changes and a reader who goes on from a cursor misses nothing. The price:
 * a transaction that stays open anywhere on that Postgres server, and has written something, holds the feed up until it ends.
 */
const feedStatement: Statement = {
  name: 'execution-feed',
  text: `
    select tx::text as tx, execution_id, seq, at, data from events
    where workspace_id = $1 and (type like 'execution.%' or type like 'interaction.%' or type like 'source.%')
      and (tx, execution_id, seq) > ($2::text::xid8, $3::text, $4::integer) and tx < pg_snapshot_xmin(pg_current_snapshot())
    order by events.tx, execution_id, seq limit $5`,
};

/** Whatever is not in the feed yet has this transaction or a later one. */
const feedEndStatement: Statement = {
  name: 'execution-feed-end',
  text: 'select pg_snapshot_xmin(pg_current_snapshot())::text as tx',
};

const beginning = toCursor('0', '', 0);

function toCursor(tx: string, executionId: string, seq: number): string {
  return `${tx}_${executionId}_${seq}`;
}

/** The id of a run has underscores of its own. */
function fromCursor(cursor: string): [string, string, number] {
  const [, tx, executionId, seq] = /^(\d{1,19})_(.*)_(\d{1,9})$/.exec(cursor) ?? [];
  if (tx !== undefined && executionId !== undefined) return [tx, executionId, Number(seq)];
  throw new ExecutorError(
    'invalidRequest',
    `"${cursor}" is not the id of an event of this workspace. Give the id of one that came, or none to begin with what comes.`,
  );
}
