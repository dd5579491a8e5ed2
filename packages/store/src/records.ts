import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * Converts rows for statements that are written by hand, because a query builder cannot express them. Any number of rows is one
 * parameter, a JSON array, which `json_to_recordset` turns back into rows.
 */
type Columns = Record<string, PgColumn>;

/** `"id", "workspace_id"`, each with the prefix if there is one. */
export function columnNames(columns: Columns, prefix = ''): string {
  return Object.keys(columns)
    .map((key) => `${prefix}"${snakeCase(key)}"`)
    .join(', ');
}

/** `"id" text, "workspace_id" text`: the column list of `toRecords`. */
export function columnTypes(columns: Columns): string {
  return Object.entries(columns)
    .map(([key, column]) => `"${snakeCase(key)}" ${column.getSQLType()}`)
    .join(', ');
}

export function toRecords(columns: Columns, rows: object[]): string {
  return JSON.stringify(rows.map((row) => toRecord(columns, row)));
}

/** One row as parameters, in the order of the columns. */
export function toValues(columns: Columns, row: object): unknown[] {
  return Object.entries(columns).map(([key, column]) => {
    const value = (row as Record<string, unknown>)[key] ?? null;
    return value === null ? null : column.mapToDriverValue(value);
  });
}

/** Converts a row that was read with column names. */
export function fromRecord<Row>(columns: Columns, record: object): Row {
  const values = record as Record<string, unknown>;
  const entries = Object.entries(columns).map(([key, column]) => {
    const value = values[snakeCase(key)];
    return [key, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(entries) as Row;
}

function toRecord(columns: Columns, row: object): Record<string, unknown> {
  const values = toValues(columns, row);
  const entries = Object.entries(columns).map(([key, column], index) => {
    // Inside JSON, a JSON column is a value and not text.
    const isJson = column.getSQLType() === 'jsonb';
    return [snakeCase(key), isJson ? (row as Record<string, unknown>)[key] : values[index]];
  });
  return Object.fromEntries(entries);
}

/** The column name that Drizzle uses. */
function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
