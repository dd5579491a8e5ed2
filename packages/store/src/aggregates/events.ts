import type { NewEvent, StoredEvent } from '@executor/engine';
import { getTableColumns } from 'drizzle-orm';
import { events } from '../execution-schema.ts';
import { columnNames, columnTypes, toRecords } from '../records.ts';

const { executionId: _, seq: __, workspaceId: ___, tx: ____, ...own } = getTableColumns(events);

/** What a statement needs to write events: `toRecords` of them is one of its parameters. */
export function eventRecords(written: NewEvent[]): string {
  return toRecords(own, written.map(toRow));
}

/**
 * Part of a statement in which `run` is the changed row of the execution, with the number of the last event already counted up: inserts
 * the events of that parameter, and no more than `run` has rows.
 */
export function insertEvents(parameter: string): string {
  return `insert into events (execution_id, seq, workspace_id, ${columnNames(own)})
    select run.id, run.last_seq - count(*) over () + event.ordinal, run.workspace_id, ${columnNames(own, 'event.')}
    from run, rows from (json_to_recordset(${parameter}::json) as (${columnTypes(own)})) with ordinality
      as event(${columnNames(own)}, ordinal)`;
}

export function toStoredEvent({ seq, at, data }: { seq: number; at: Date; data: unknown }): StoredEvent {
  return { seq, at, ...(data as object) } as StoredEvent;
}

function toRow({ at, ...data }: NewEvent) {
  return { at, type: data.type, callIndex: callIndexOf(data), data };
}

/** The index of a log line is another one. */
function callIndexOf(event: Omit<NewEvent, 'at'>): number | null {
  return 'index' in event && event.type !== 'log' ? (event.index as number) : null;
}
