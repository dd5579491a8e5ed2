import type { ToolRow } from '../../ports/source.ts';
import type { SourceRow, ToolEdit } from '../../ports/source-store.ts';

type Rows = ReadonlyMap<string, ToolRow>;

export interface ToolDifference {
  added: string[];
  changed: string[];
  removed: string[];
}

/** How the tools of a source changed between two loads. */
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

interface CallTargets {
  /** The origin that a tool's calls go to now. */
  targetOf(row: ToolRow): string | undefined;
  /** The origins that calls went to before, or that a user has just set. */
  knownOrigins: ReadonlySet<string>;
}

/**
 * The tools that a user must review before a rule may allow them without asking:
 * - tools whose calls, and so the credentials, go to a new origin;
 * - writes that are new, are another operation than before, or do more than before;
 * - edited tools that are another operation than the one that the user edited.
 */
export function unseenAfter(
  { unseen, edits }: Pick<SourceRow, 'unseen' | 'edits'>,
  before: Rows,
  after: Rows,
  { targetOf, knownOrigins }: CallTargets,
): string[] {
  const unseenBefore = new Set(unseen);
  const isUnseen = (row: ToolRow) => {
    const target = targetOf(row);
    if (unseenBefore.has(row.path) || (target !== undefined && !knownOrigins.has(target))) return true;
    const isHarmless = row.effect === 'read' && !Object.hasOwn(edits, row.path);
    return !isHarmless && isOtherOperation(before.get(row.path), row);
  };
  return [...after.values()].filter(isUnseen).map(({ path }) => path);
}

const severity = { read: 0, write: 1, destructive: 2 } as const satisfies Record<ToolRow['effect'], number>;

function isOtherOperation(before: ToolRow | undefined, after: ToolRow): boolean {
  if (before === undefined || severity[after.effect] > severity[before.effect]) return true;
  return JSON.stringify(before.origin) !== JSON.stringify(after.origin);
}

/** Drops edits of removed tools, so that they do not apply to a later tool with the same path. */
export function editsAfter(edits: Record<string, ToolEdit>, after: Rows): Record<string, ToolEdit> {
  return Object.fromEntries(Object.entries(edits).filter(([path]) => after.has(path)));
}

/** The number of suggestions that no user has judged. */
export function countSuggestions(rows: Iterable<ToolRow>, edits: Record<string, ToolEdit>): number {
  let count = 0;
  for (const { path, suggestion } of rows) if (suggestion && !Object.hasOwn(edits, path)) count += 1;
  return count;
}
