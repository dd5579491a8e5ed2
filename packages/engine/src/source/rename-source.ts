import { type AffectedRule, ExecutorError, type Principal } from '@executor/protocol';
import type { Catalog } from '../catalog/catalog.ts';
import { renameTools, type ToolPack } from '../catalog/tool-pack.ts';
import { newId } from '../id.ts';
import { patternCovers } from '../policy/pattern.ts';
import type { PolicyRow } from '../ports/policy-store.ts';
import type { PackedTools } from '../ports/source.ts';
import type { SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import { auditOf } from './initiator.ts';
import { requireFree } from './namespace.ts';

/*
 * A source gets another namespace. Rules that name the old namespace are rewritten in the same transaction, so no tool is governed by
 * fewer rules for a moment. The source keeps its former namespaces: runs that began before the change still call its tools by them.
 * A pending approval is bound to the path of its tool, so Executor asks it again under the new path.
 */

interface Dependencies {
  store: Pick<Store, 'sources' | 'policies'>;
  catalog: Catalog;
  now: () => Date;
}

/** Renames a source if its rules are confirmed. Returns undefined if others have changed the source or a rule meanwhile. */
export async function renameSource(
  principal: Principal,
  before: SourceRow,
  { to, confirmRules }: { to: string; confirmRules: true | readonly string[] | undefined },
  { store, catalog, now }: Dependencies,
): Promise<{ row: SourceRow; rules: AffectedRule[] } | undefined> {
  const { workspaceId } = principal;
  const { namespace: from } = before;
  requireFree(to, await catalog.reservedNamespaces(workspaceId, before));
  // Not older than `before`: the tools are written again with the row.
  const opened = await catalog.source(workspaceId, from, { fresh: true });
  if (opened === undefined) return undefined;
  const { pack } = opened;
  const rules = affectedRules(await store.policies.all(workspaceId), { from, to }, [...pack.paths()]);
  requireConfirmed(rules, confirmRules, { from, to });
  const at = now();
  const { row, tools } = await renamedSource(before, pack, { to, at });
  const rewritten = rules.flatMap(({ id, pattern, newPattern }) =>
    newPattern === undefined ? [] : [{ id, from: pattern, to: newPattern }],
  );
  const audit = [
    auditOf({ principal }, at, {
      action: 'source.updated',
      target: row.id,
      details: { namespace: to, changed: ['namespace'], formerNamespace: from },
    }),
    ...rewritten.map((rule) =>
      auditOf({ principal }, at, {
        action: 'policy.updated',
        target: rule.id,
        details: { before: { pattern: rule.from }, after: { pattern: rule.to }, renamedSource: row.id },
      }),
    ),
  ];
  if (await store.sources.rename(row, tools, rewritten, audit)) {
    catalog.adopt(row, await catalog.openPack(tools));
    return { row, rules };
  }
  catalog.forget(workspaceId);
  return undefined;
}

/** The rules that a rename changes, or that match other tools of the source after it. */
function affectedRules(
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
function requireConfirmed(
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
async function renamedSource(
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
