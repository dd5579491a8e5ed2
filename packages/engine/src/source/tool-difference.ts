import type { ToolRow } from '../ports/source.ts';
import type { SourceRow, ToolEdit } from '../ports/source-store.ts';

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
    before.repeatable !== after.repeatable
  );
}

/**
 * What a person must look at before it is allowed without being asked about: writes that are new, or that were reads before; tools
 * that are others than those of which somebody said that they do less; and all of them, where calls go elsewhere now.
 */
export function unseenAfter(
  { unseen, edits }: Pick<SourceRow, 'unseen' | 'edits'>,
  before: Rows,
  after: Rows,
  { goesElsewhere }: { goesElsewhere: boolean },
): string[] {
  if (goesElsewhere) return [...after.keys()];
  const known = new Set(unseen);
  const isUnseen = (row: ToolRow) => {
    if (known.has(row.path)) return true;
    const old = before.get(row.path);
    if (Object.hasOwn(edits, row.path)) return old === undefined || isOther(old, row);
    return row.effect !== 'read' && (old === undefined || old.effect === 'read');
  };
  return [...after.values()].filter(isUnseen).map(({ path }) => path);
}

function isOther(before: ToolRow, after: ToolRow): boolean {
  return before.effect !== after.effect || JSON.stringify(before.origin) !== JSON.stringify(after.origin);
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
