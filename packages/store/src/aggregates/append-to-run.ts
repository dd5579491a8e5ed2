import type { NewEvent } from '@executor/engine';
import { sql as raw } from 'drizzle-orm';
import type { Sql } from '../database.ts';
import { eventParameters, insertEvents } from './events.ts';

/** Appends to the journal of a run without a lease. The caller's transaction must have locked the run's row. */
export async function appendToRun(sql: Sql, id: string, events: NewEvent[]): Promise<void> {
  const statement = `
    with run as (
      update executions set last_seq = last_seq + $5 where id = $6 returning id, workspace_id, last_seq
    )
    ${insertEvents(['$1', '$2', '$3', '$4', '$5'])}`;
  const values = [...eventParameters(events), events.length, id];
  const parts = statement.split(/\$(\d)/);
  await sql.execute(
    raw.join(
      parts.map((part, place) =>
        place % 2 === 0 ? raw.raw(part) : raw`${raw.param(values[Number(part) - 1])}`,
      ),
    ),
  );
}
