import type { NewEvent, StoredEvent } from '@executor/engine';

/**
 * The parameters of a statement with `insertEvents`: an array per column. Postgres reads them in half the time of JSON rows.
 */
export function eventParameters(events: NewEvent[]): unknown[] {
  return [
    events.map(({ at }) => at.toISOString()),
    events.map(({ type }) => type),
    events.map(callIndexOf),
    events.map(({ at: _, ...data }) => JSON.stringify(data)),
  ];
}

/** What a row of an event needs besides its data. */
const rowBytes = 100;

/** The size of events, from their parameters. */
export function eventBytes([, , , data]: unknown[]): number {
  return (data as string[]).reduce((sum, text) => sum + rowBytes + Buffer.byteLength(text), 0);
}

/** The size of the texts among the values of a row. */
export function textBytes(values: unknown[]): number {
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
}

/**
 * Part of a statement in which `run` is the updated execution row, with its last event number already incremented. Inserts nothing if
 * there is no such row.
 */
export function insertEvents([at, type, callIndex, data, count]: string[]): string {
  return `insert into events (execution_id, seq, workspace_id, at, type, call_index, data)
    select run.id, run.last_seq - ${count}::integer + event.number, run.workspace_id, event.at, event.type, event.call_index, event.data
    from run, unnest(${at}::timestamptz[], ${type}::text[], ${callIndex}::integer[], ${data}::text[])
      with ordinality as event(at, type, call_index, data, number)`;
}

export interface EventRecord {
  seq: number;
  at: Date;
  data: string;
}

export function toStoredEvent({ seq, at, data }: EventRecord): StoredEvent {
  return { seq, at, ...JSON.parse(data) };
}

/** Log lines have an index of their own. */
function callIndexOf(event: NewEvent): number | null {
  return 'index' in event && event.type !== 'log' ? event.index : null;
}
