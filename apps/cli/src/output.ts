import pc from 'picocolors';

/** Prints a value for scripts. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Prints rows as aligned columns; the head is dimmed at a terminal. */
export function printTable(head: string[], rows: string[][]): void {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(pc.dim(line(head)));
  for (const row of rows) console.log(line(row));
}

/** How long ago something was, in the words of a list. */
export function ago(iso: string | undefined, now = Date.now()): string {
  if (iso === undefined) return 'never';
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return `${Math.floor(minutes / 60 / 24)} days ago`;
}

/** How to type this program, in a clone or installed. */
export const self = process.env.npm_lifecycle_event === 'start' ? 'npx executor' : 'executor';
