import type { WorkerStore } from '@executor/engine';
import { asc, eq, getTableColumns, sql as raw } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { columnNames, columnTypes, toRecords } from '../records.ts';
import { workers } from '../schema.ts';
import type { Statement } from '../statement.ts';

export function workerStore(database: Database): WorkerStore {
  return {
    async announce(worker) {
      await database.query(announceStatement, [toRecords(announced, [worker])]);
    },

    async remove(id) {
      await database.run((sql) => sql.delete(workers).where(eq(workers.id, id)));
    },

    list: (withinMs) =>
      database.run((sql) =>
        sql
          .select()
          .from(workers)
          .where(raw`${workers.seenAt} > clock_timestamp() - ${withinMs} * interval '1 ms'`)
          .orderBy(asc(workers.startedAt), asc(workers.id)),
      ),
  };
}

const { seenAt: _, ...announced } = getTableColumns(workers);

const announceStatement: Statement = {
  name: 'worker-announce',
  text: `
    with gone as (
      delete from workers where seen_at < clock_timestamp() - interval '1 hour'
        and id not in (select id from json_to_recordset($1::json) as worker(id text))
    )
    insert into workers (${columnNames(announced)}, seen_at)
    select ${columnNames(announced)}, clock_timestamp() from json_to_recordset($1::json) as worker(${columnTypes(announced)})
    on conflict (id) do update
    set (${columnNames(announced)}, seen_at) = row(${columnNames(announced, 'excluded.')}, excluded.seen_at)`,
};
