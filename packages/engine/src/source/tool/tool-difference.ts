import type { ToolRow } from '../../ports/source.ts';
import type { SourceRow, ToolEdit } from '../../ports/source-store.ts';

type Rows = ReadonlyMap<string, ToolRow>;

export interface ToolDifference {
  added: string[];
  changed: string[];
  removed: string[];
}

/** What another reading of a source means for its callers. */
export function toolDifference(before: Rows, after: Rows): ToolDifference {
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    changed: [...after.values()]
      .filter((row) => isChanged(before.get(row.path), row))
      .map(({ path }) => path),
    removed: [...before.keys()].filter((path) => !after.has(path)),
  };
}

function isChanged(before: ToolRow | undefined, after: ToolRow): boolean {
  if (before === undefined) return false;
  return (
    before.version !== after.version ||
    before.effect !== after.effect ||
    before.repeatable !== after.repeatable ||
    before.target !== after.target
  );
}

interface Reach {
  /** Where the tools after the reading send their calls. */
  goesTo(row: ToolRow): string | undefined;
  /** Where calls went before, or a person has just said that they go. */
  knownOrigins: ReadonlySet<string>;
}

/**
 * What a person must look at before it is allowed without being asked about: whatever sends its calls, and with them the credentials,
 * where none went before; what is no read and is new, another operation than before, or does more than before; and tools that are
 * others than those of which somebody said that they do less.
 */
export function unseenAfter(
  { unseen, edits }: Pick<SourceRow, 'unseen' | 'edits'>,
  before: Rows,
  after: Rows,
  { goesTo, knownOrigins }: Reach,
): string[] {
  const known = new Set(unseen);
  const isUnseen = (row: ToolRow) => {
    const target = goesTo(row);
    if (known.has(row.path) || (target !== undefined && !knownOrigins.has(target))) return true;
    const isHarmless = row.effect === 'read' && !Object.hasOwn(edits, row.path);
    return !isHarmless && isOther(before.get(row.path), row);
  };
  return [...after.values()].filter(isUnseen).map(({ path }) => path);
}

const severity = { read: 0, write: 1, destructive: 2 } as const satisfies Record<ToolRow['effect'], number>;

function isOther(before: ToolRow | undefined, after: ToolRow): boolean {
  if (before === undefined || severity[after.effect] > severity[before.effect]) return true;
  return JSON.stringify(before.origin) !== JSON.stringify(after.origin);
}

/** What was said of tools that are gone is not said of whatever has their name one day. */
export function editsAfter(edits: Record<string, ToolEdit>, after: Rows): Record<string, ToolEdit> {
  return Object.fromEntries(Object.entries(edits).filter(([path]) => after.has(path)));
}

/** Tools whose evidence nobody has judged. */
export function countSuggestions(rows: Iterable<ToolRow>, edits: Record<string, ToolEdit>): number {
  let count = 0;
  for (const { path, suggestion } of rows) if (suggestion && !Object.hasOwn(edits, path)) count += 1;
  return count;
}
