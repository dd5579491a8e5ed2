import { type AffectedRule, ExecutorError } from '@executor/protocol';
import { renameTools, type ToolPack } from '../catalog/tool-pack.ts';
import { newId } from '../id.ts';
import { patternCovers } from '../policy/pattern.ts';
import type { PolicyRow } from '../ports/policy-store.ts';
import type { PackedTools } from '../ports/source.ts';
import type { SourceRow } from '../ports/source-store.ts';

/*
 * A source gets another namespace. Rules that name the old namespace are rewritten in the same transaction, so no tool is governed by
 * fewer rules for a moment. The source keeps its former namespaces: runs that began before the change still call its tools by them.
 * A pending approval is bound to the path of its tool, so Executor asks it again under the new path.
 */

/** The rules that a rename changes, or that match other tools of the source after it. */
export function affectedRules(
  rules: readonly PolicyRow[],
  { from, to }: { from: string; to: string },
  paths: readonly string[],
): AffectedRule[] {
  return rules.flatMap(({ id, pattern, decision }): AffectedRule[] => {
    const next = rewrittenPattern(pattern, from, to);
    if (next !== pattern) return [{ id, pattern, newPattern: next, decision, change: 'rewritten' }];
    const before = paths.filter((path) => patternCovers(pattern, path)).length;
    const after = paths.filter((path) => patternCovers(pattern, renamedPath(path, to))).length;
    if (before === after) return [];
    return [{ id, pattern, decision, change: after < before ? 'fewerTools' : 'moreTools' }];
  });
}

/** Rejects a rename until the caller has confirmed every rule that it affects. */
export function requireConfirmed(
  affected: readonly AffectedRule[],
  confirmed: true | readonly string[] | undefined,
  { from, to }: { from: string; to: string },
): void {
  const open = affected.filter(({ id }) => confirmed !== true && !confirmed?.includes(id));
  if (open.length === 0) return;
  throw new ExecutorError(
    'conflict',
    `Nothing was renamed. ${open.length === 1 ? 'One rule is' : `${open.length} rules are`} affected if ${from} becomes ${to}. Confirm them with confirmRules.`,
    { details: { reason: 'rulesAffected', rules: affected } },
  );
}

/** The source under its new namespace. Its tools keep the rest of their paths. */
export async function renamedSource(
  row: SourceRow,
  pack: ToolPack,
  { to, at }: { to: string; at: Date },
): Promise<{ row: SourceRow; tools: PackedTools }> {
  const { namespace: from, edits, unseen, provenance, revision } = row;
  const { unconfirmedName: _, ...confirmed } = provenance;
  const former = [...(provenance.formerNamespaces ?? []), from].filter((name) => name !== to);
  return {
    row: {
      ...row,
      namespace: to,
      edits: Object.fromEntries(Object.entries(edits).map(([path, edit]) => [renamedPath(path, to), edit])),
      unseen: unseen.map((path) => renamedPath(path, to)),
      provenance: { ...confirmed, formerNamespaces: former },
      contentId: newId('con', at),
      revision: revision + 1,
      updatedAt: at,
    },
    tools: await renameTools(pack.packed, from, to),
  };
}

function renamedPath(path: string, namespace: string): string {
  const dot = path.indexOf('.');
  return dot === -1 ? namespace : `${namespace}${path.slice(dot)}`;
}

function rewrittenPattern(pattern: string, from: string, to: string): string {
  return pattern === from || pattern.startsWith(`${from}.`) ? renamedPath(pattern, to) : pattern;
}
