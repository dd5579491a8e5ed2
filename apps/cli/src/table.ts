/**
 * Rows as aligned columns below their head. No line is longer than `maxWidth`: a table that does not fit loses its empty columns, then the
 * ends of its longest cells, then its last columns. Without a maximum nothing is cut.
 */
export function tableLines(head: string[], rows: string[][], maxWidth = Number.POSITIVE_INFINITY): string[] {
  const columns = head.map((title, index) =>
    columnOf(
      title,
      rows.map((row) => row[index] ?? ''),
    ),
  );
  const shown = fit(columns, maxWidth);
  return [head, ...rows].map((_, line) =>
    shown
      .map((column) => cut(column.cells[line] ?? '', column).padEnd(column.width))
      .join(gap)
      .trimEnd(),
  );
}

interface Column {
  /** The title and the cells below it. */
  cells: string[];
  width: number;
  /** The column is cut to this width before any other column is cut further. */
  legibleWidth: number;
  /** Below this width the last columns are left out instead. */
  minWidth: number;
  /** Ids, paths and addresses: the beginning and the end of each matter, so the middle is left out, and only if nothing else is left. */
  isName: boolean;
  isEmpty: boolean;
}

const gap = '  ';
const minLegibleWidth = 12;
const minTextWidth = 8;
const minNameLength = 16;

function columnOf(title: string, cells: string[]): Column {
  const width = Math.max(title.length, ...cells.map((cell) => cell.length));
  const isName =
    cells.every((cell) => !/\s/.test(cell)) && cells.some((cell) => cell.length >= minNameLength);
  return {
    cells: [title, ...cells],
    width,
    legibleWidth: Math.min(width, Math.max(title.length, minLegibleWidth)),
    minWidth: Math.min(width, isName ? minLegibleWidth : minTextWidth),
    isName,
    isEmpty: cells.length > 0 && cells.every((cell) => cell === '' || cell === '-'),
  };
}

/** The columns that fit, with their new widths. Cuts the widest text first, and names only after that. */
function fit(columns: Column[], maxWidth: number): Column[] {
  if (widthOf(columns, 'width') <= maxWidth) return columns;
  const shown = columns.filter(({ isEmpty }) => !isEmpty);
  while (shown.length > 1 && widthOf(shown, 'minWidth') > maxWidth) shown.pop();
  const texts = shown.filter(({ isName }) => !isName);
  const names = shown.filter(({ isName }) => isName);
  let excess = widthOf(shown, 'width') - maxWidth;
  excess = narrow(texts, excess, ({ legibleWidth }) => legibleWidth);
  excess = narrow(names, excess, ({ legibleWidth }) => legibleWidth);
  excess = narrow(shown, excess, ({ minWidth }) => minWidth);
  narrow(shown, excess, () => 1);
  return shown;
}

function widthOf(columns: Column[], width: 'width' | 'minWidth'): number {
  return columns.reduce((sum, column) => sum + column[width], gap.length * (columns.length - 1));
}

/** Narrows the widest columns by `excess` characters in total, and returns the excess that is left. */
function narrow(columns: Column[], excess: number, minimumOf: (column: Column) => number): number {
  for (let left = excess; left > 0; left -= 1) {
    const [widest] = columns
      .filter((column) => column.width > minimumOf(column))
      .sort((one, other) => other.width - one.width);
    if (widest === undefined) return left;
    widest.width -= 1;
  }
  return 0;
}

function cut(cell: string, { width, isName }: Column): string {
  if (cell.length <= width) return cell;
  const end = isName ? Math.floor((width - 1) / 2) : 0;
  return `${cell.slice(0, width - 1 - end)}…${end > 0 ? cell.slice(-end) : ''}`;
}
