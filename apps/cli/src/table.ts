/** Rows as aligned columns below their head, no wider than `maxWidth`. Without a maximum nothing is cut. */
export function tableLines(head: string[], rows: string[][], maxWidth = Number.POSITIVE_INFINITY): string[] {
  const columns = head.map((title, index) =>
    columnOf(
      title,
      rows.map((row) => row[index] ?? ''),
    ),
  );
  fit(columns, maxWidth);
  return [head, ...rows].map((row) =>
    columns
      .map((column, index) => cut(row[index] ?? '', column).padEnd(column.width))
      .join(gap)
      .trimEnd(),
  );
}

interface Column {
  width: number;
  minWidth: number;
  /** Ids, paths and addresses: the beginning and the end of each matter, so the middle is left out, and only if nothing else is left. */
  isName: boolean;
}

const gap = '  ';
/** Narrower than this a cell says nothing. */
const minWidth = 12;
const minNameLength = 16;

function columnOf(title: string, cells: string[]): Column {
  const width = Math.max(title.length, ...cells.map((cell) => cell.length));
  const isName =
    cells.every((cell) => !/\s/.test(cell)) && cells.some((cell) => cell.length >= minNameLength);
  return { width, minWidth: Math.min(width, Math.max(title.length, minWidth)), isName };
}

/** Takes from the widest columns of text first, and from names only after that. */
function fit(columns: Column[], maxWidth: number): void {
  const gaps = gap.length * (columns.length - 1);
  let excess = columns.reduce((sum, { width }) => sum + width, gaps) - maxWidth;
  for (const isName of [false, true]) {
    const candidates = columns.filter((column) => column.isName === isName);
    for (; excess > 0; excess -= 1) {
      const [widest] = candidates
        .filter((column) => column.width > column.minWidth)
        .sort((one, other) => other.width - one.width);
      if (widest === undefined) break;
      widest.width -= 1;
    }
  }
}

function cut(cell: string, { width, isName }: Column): string {
  if (cell.length <= width) return cell;
  const end = isName ? Math.floor((width - 1) / 2) : 0;
  return `${cell.slice(0, width - 1 - end)}…${end > 0 ? cell.slice(-end) : ''}`;
}
