import { ExecutorError } from '@executor/protocol';
import { nearestPaths } from '../../catalog/nearest-paths.ts';
import type { ToolPack } from '../../catalog/tool-pack.ts';
import type { ToolRow } from '../../ports/source.ts';
import type { SourceRow, ToolEdit } from '../../ports/source-store.ts';
import type { ChangeRequest } from '../source-request.ts';

type ToolDecisions = Pick<SourceRow, 'edits' | 'unseen'>;

/** Merges a user's decisions about single tools into earlier ones. */
export function editTools(
  { edits: before, unseen }: ToolDecisions,
  { tools = {}, acceptSuggestions, seen }: ChangeRequest,
  pack: ToolPack,
): ToolDecisions {
  const edits: Record<string, ToolEdit> = { ...before };
  for (const path of suggestedPaths(acceptSuggestions, before, pack)) {
    const { effect, repeatable } = requireTool(path, pack).suggestion ?? {};
    edits[path] = { ...edits[path], ...defined({ effect, repeatable }) };
  }
  for (const [path, edit] of Object.entries(tools)) {
    requireTool(path, pack);
    if (edit === null) delete edits[path];
    else edits[path] = { ...edits[path], ...defined(edit) };
  }
  return { edits, unseen: stillUnseen(unseen, seen, pack) };
}

/** Accepting all suggestions does not change tools that a user has edited. */
function suggestedPaths(
  accepted: true | string[] | undefined,
  edits: ToolDecisions['edits'],
  pack: ToolPack,
): string[] {
  if (accepted === undefined) return [];
  if (accepted === true) {
    const isOpen = ({ path, suggestion }: ToolRow) => suggestion && !Object.hasOwn(edits, path);
    return [...pack.rows()].filter(isOpen).map(({ path }) => path);
  }
  for (const path of accepted) {
    if (requireTool(path, pack).suggestion) continue;
    throw new ExecutorError('invalidRequest', `acceptSuggestions: there is no suggestion for ${path}.`);
  }
  return accepted;
}

function stillUnseen(unseen: string[], seen: true | string[] | undefined, pack: ToolPack): string[] {
  if (seen === undefined) return unseen;
  if (seen === true) return [];
  for (const path of seen) requireTool(path, pack);
  const reviewed = new Set(seen);
  return unseen.filter((path) => !reviewed.has(path));
}

function requireTool(path: string, pack: ToolPack) {
  const row = pack.row(path);
  if (row) return row;
  const { slips, alike } = nearestPaths(path, pack.paths());
  const similar = slips[0] ?? alike[0];
  throw new ExecutorError(
    'invalidRequest',
    `The source has no tool ${path}.${similar ? ` Did you mean ${similar}?` : ''}`,
    { details: { path, ...(similar && { nearest: similar }) } },
  );
}

function defined(edit: ToolEdit): ToolEdit {
  return Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
}
