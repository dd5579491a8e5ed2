import type { EventPage, ExecutionStore, FeedRow, StoredEvent } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { executions } from '../../execution-schema.ts';
import { columnNames } from '../../records.ts';
import type { Statement } from '../../statement.ts';
import { toPage } from '../page.ts';
import { type EventRecord, toStoredEvent } from './events.ts';
import { executionColumns, toExecution } from './execution-row.ts';

type Reads = Pick<
  ExecutionStore,
  'find' | 'list' | 'events' | 'eventsOutsideCalls' | 'eventPage' | 'callPage' | 'feed' | 'feedEnd'
>;

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

    async eventsOutsideCalls(id, { afterSeq, limit }) {
      const rows = await database.query<EventRecord>(outsideCallsStatement, [id, afterSeq, limit]);
      return rows.map(toStoredEvent);
    },

    async eventPage(id, { afterSeq, limit, maxBytes }) {
      return toEventPage(await database.query(eventPageStatement, [id, afterSeq, limit, maxBytes]));
    },

    async callPage(id, { afterIndex, limit, maxBytes }) {
      return toEventPage(await database.query(callPageStatement, [id, afterIndex, limit, maxBytes]));
    },

    async feed(workspaceId, { after = beginning, limit }): Promise<FeedRow[]> {
      const rows = await database.query<FeedRecord>(feedStatement, [
        workspaceId,
        ...fromCursor(after),
        limit,
      ]);
      return rows.map(({ tx, subject_id: id, is_source: isSource, seq, at, data }) => ({
        cursor: toCursor(tx, id, seq),
        ...(isSource ? { sourceId: id } : { executionId: id }),
        event: toStoredEvent({ seq, at, data }),
      }));
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
  // Written by hand: Drizzle omits table names in a select from one table.
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
  isLarge: true,
  text: `
    select seq, at, data from events
    where execution_id = $1 and seq > $2 and ($4::text[] is null or type = any($4)) order by seq limit $3`,
};

export const outsideCallsStatement: Statement = {
  name: 'execution-events-outside-calls',
  isLarge: true,
  text: `
    select seq, at, data from events
    where execution_id = $1 and seq > $2 and call_index is null order by seq limit $3`,
};

interface PageRecord extends EventRecord {
  has_more: boolean;
}

function toEventPage(rows: PageRecord[]): EventPage {
  return { events: rows.map(toStoredEvent), hasMore: rows[0]?.has_more ?? false };
}

/** The length of a text is known without reading it, so large events that do not fit cost nothing. */
const eventPageStatement: Statement = {
  name: 'execution-event-page',
  isLarge: true,
  text: `
    with listed as (
      select seq, at, data, row_number() over following as number,
        sum(octet_length(data)) over following - octet_length(data) as bytes_before
      from (select seq, at, data from events where execution_id = $1 and seq > $2 order by seq limit $3 + 1) as first
      window following as (order by seq)
    ), shown as (
      select * from listed where number <= $3 and (number = 1 or bytes_before + octet_length(data) <= $4)
    )
    select seq, at, data, (select count(*) from listed) > (select count(*) from shown) as has_more
    from shown order by seq`,
};

export const callPageStatement: Statement = {
  name: 'execution-call-page',
  isLarge: true,
  text: `
    with called as (
      select call_index from events
      where execution_id = $1 and call_index > $2 and type in ('call.requested', 'timer.set')
      order by call_index limit $3 + 1
    ), sized as (
      select call_index, (
        select sum(octet_length(data)) from events
        where events.execution_id = $1 and events.call_index = called.call_index
      ) as bytes
      from called
    ), listed as (
      select call_index, row_number() over following as number, sum(bytes) over following as bytes
      from sized window following as (order by call_index)
    ), shown as (
      select * from listed where number <= $3 and (number = 1 or bytes <= $4)
    )
    select seq, at, data, (select count(*) from listed) > (select count(*) from shown) as has_more
    from shown join events on events.execution_id = $1 and events.call_index = shown.call_index
    order by shown.call_index, seq`,
};

interface FeedRecord extends EventRecord {
  tx: string;
  subject_id: string;
  is_source: boolean;
}

/**
 * Ordered by transaction id, and only up to the oldest open transaction. So an event that commits late appears after all events that
 * were already shown: the order never changes, and a reader that continues from a cursor misses nothing. The cost: an open writing
 * transaction anywhere on the Postgres server delays the feed until it ends.
 */
const feedStatement: Statement = {
  name: 'execution-feed',
  isLarge: true,
  text: `
    select tx::text as tx, coalesce(execution_id, source_id) as subject_id, source_id is not null as is_source, seq, at, data
    from events
    where workspace_id = $1 and (type like 'execution.%' or type like 'interaction.%' or type like 'source.%')
      and (tx, coalesce(execution_id, source_id), seq) > ($2::text::xid8, $3::text, $4::integer) and tx < pg_snapshot_xmin(pg_current_snapshot())
    order by events.tx, coalesce(execution_id, source_id), seq limit $5`,
};

/** Every event that is not in the feed yet has this transaction id or a later one. */
const feedEndStatement: Statement = {
  name: 'execution-feed-end',
  text: 'select pg_snapshot_xmin(pg_current_snapshot())::text as tx',
};

const beginning = toCursor('0', '', 0);

function toCursor(tx: string, subjectId: string, seq: number): string {
  return `${tx}_${subjectId}_${seq}`;
}

/** The id of a run or source contains underscores itself. */
function fromCursor(cursor: string): [string, string, number] {
  const [, tx, subjectId, seq] = /^(\d{1,19})_(.*)_(\d{1,9})$/.exec(cursor) ?? [];
  if (tx !== undefined && subjectId !== undefined) return [tx, subjectId, Number(seq)];
  throw new ExecutorError(
    'invalidRequest',
    `"${cursor}" is not the id of an event of this workspace. Send the id of an event that you received, or none to get only new events.`,
  );
}
