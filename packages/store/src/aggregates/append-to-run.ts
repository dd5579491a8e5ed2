import type { NewEvent } from '@executor/engine';
import { sql as raw } from 'drizzle-orm';
import type { Sql } from '../database.ts';
import { eventRecords, insertEvents } from './events.ts';

/** Appends to the journal of a run as anyone may, lease or not; part of a transaction that has locked its row. */
export async function appendToRun(sql: Sql, id: string, events: NewEvent[]): Promise<void> {
  const records = raw.param(eventRecords(events));
  const insertion = insertEvents('EVENTS').split('EVENTS') as [string, string];
  await sql.execute(raw`
    with run as (
      update executions set last_seq = last_seq + ${events.length} where id = ${id} returning id, workspace_id, last_seq
    )
    ${raw.raw(insertion[0])}${records}${raw.raw(insertion[1])}`);
}
