import { inspect } from '../inspect.ts';

const maxRows = 100;
const maxColumns = 20;
const maxCellCharacters = 100;
const indexColumn = '(index)';
const valueColumn = 'Values';

/** The lines of `console.table`, or undefined if the data has no rows. Never throws. */
export function tableLines(data: unknown, columns?: unknown): string[] | undefined {
  try {
    const rows = rowsOf(data);
    return rows && drawRows(rows.slice(0, maxRows), columnsOf(rows, columns), rows.length);
  } catch {
    return undefined;
  }
}

interface Row {
  name: string;
  value: unknown;
}

function rowsOf(data: unknown): Row[] | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (data instanceof Map) return Array.from(data, ([key, value]) => ({ name: cell(key), value }));
  if (data instanceof Set) return Array.from(data, (value, index) => ({ name: String(index), value }));
  return Object.entries(data).map(([name, value]) => ({ name: cell(name), value }));
}

function columnsOf(rows: Row[], columns: unknown): string[] {
  if (Array.isArray(columns)) return columns.slice(0, maxColumns).map(String);
  const records = rows
    .slice(0, maxRows)
    .map(({ value }) => value)
    .filter(isRecord);
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return [...names].slice(0, maxColumns);
}

function drawRows(rows: Row[], columns: string[], count: number): string[] {
  const hasValues = rows.some(({ value }) => !isRecord(value));
  const head = [indexColumn, ...columns.map(cell), ...(hasValues ? [valueColumn] : [])];
  const body = rows.map(({ name, value }) => [
    name,
    ...columns.map((column) => (isRecord(value) && Object.hasOwn(value, column) ? cell(value[column]) : '')),
    ...(hasValues ? [isRecord(value) ? '' : cell(value)] : []),
  ]);
  const widths = head.map((title, column) =>
    body.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), title.length),
  );
  const draw = (cells: string[]) =>
    cells
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-');
  const more = count > rows.length ? [`… ${count - rows.length} more`] : [];
  return [draw(head), rule, ...body.map(draw), ...more];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Error);
}

function cell(value: unknown): string {
  const text = inspect(value).replace(/\s+/g, ' ');
  return text.length > maxCellCharacters ? `${text.slice(0, maxCellCharacters)}…` : text;
}
