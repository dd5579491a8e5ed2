import type { PreviousTool } from '../../../reader/messages.ts';
import type { Operation } from '../operation/operations.ts';
import { groupOf, namesOf } from './operation-name.ts';

/**
 * Assigns a path to each operation: `namespace.group.name`. A known operation keeps its path, found by method and path or by its id. New
 * operations get the best free name, in an order that does not depend on the document's. No two paths differ only in case.
 */
export function nameTools(
  operations: Operation[],
  { namespace, previous }: { namespace: string; previous: PreviousTool[] },
): Map<Operation, string> {
  const paths = keepPaths(
    operations,
    previous.filter(({ path }) => path.startsWith(`${namespace}.`)),
  );
  const taken = new Set([...paths.values()].map((path) => path.toLowerCase()));
  const unnamed = operations
    .filter((operation) => !paths.has(operation))
    .map((operation) => ({ operation, ...wantedNames(operation) }));
  // Shorter URL paths choose first, because a short name usually means them.
  unnamed.sort((a, b) => a.operation.path.length - b.operation.path.length);
  const leavesOutGroup = usesShortPaths(previous, namespace);
  for (const { operation, group, names } of unnamed) {
    const isNamed = leavesOutGroup && (group === namespace || group.startsWith(`${namespace}.`));
    const inner = group.slice(namespace.length + 1);
    const short = isNamed ? shortPath(joined(namespace, inner), names, { namespace, taken }) : undefined;
    const path = short ?? freePath(joined(namespace, group), names, taken);
    taken.add(path.toLowerCase());
    paths.set(operation, path);
  }
  return paths;
}

/** The group, and names of which the first free one is used. */
function wantedNames(operation: Operation): { group: string; names: string[] } {
  const { toolPath } = operation;
  if (toolPath === undefined) return { group: groupOf(operation), names: [...namesOf(operation)] };
  return { group: toolPath.slice(0, -1).join('.'), names: toolPath.slice(-1) };
}

function joined(namespace: string, group: string): string {
  return group === '' ? namespace : `${namespace}.${group}`;
}

/** The engine leaves out a group that is called like the namespace when it adds a source. Sources from before that keep the group. */
function usesShortPaths(previous: PreviousTool[], namespace: string): boolean {
  return previous.length > 0 && !previous.some(({ path }) => path.startsWith(`${namespace}.${namespace}.`));
}

/** The best name without the group, if neither a tool nor a group has it. */
function shortPath(
  group: string,
  [name]: string[],
  { namespace, taken }: { namespace: string; taken: ReadonlySet<string> },
): string | undefined {
  if (name === undefined || (group === namespace && name === namespace)) return undefined;
  const path = `${group}.${name}`.toLowerCase();
  const isTaken = [...taken].some((other) => other === path || other.startsWith(`${path}.`));
  return isTaken ? undefined : `${group}.${name}`;
}

type OperationKeys = { method?: unknown; path?: unknown; operationId?: unknown };

function keepPaths(operations: Operation[], previous: PreviousTool[]): Map<Operation, string> {
  const kept = new Map<Operation, string>();
  const unassigned = new Map(previous.map((tool) => [tool.path, tool]));
  const keep = (candidates: Operation[], key: (one: OperationKeys) => string | undefined) => {
    const byKey = new Map([...unassigned.values()].map((tool) => [key(tool.origin), tool.path]));
    for (const operation of candidates) {
      const operationKey = kept.has(operation) ? undefined : key(operation);
      const path = operationKey === undefined ? undefined : byKey.get(operationKey);
      if (path === undefined || !unassigned.delete(path)) continue;
      kept.set(operation, path);
    }
  };
  // Operations that name their tools may have the method and path of others.
  const unnamed = operations.filter(({ toolPath }) => toolPath === undefined);
  keep(unnamed, ({ method, path }) =>
    typeof method === 'string' && typeof path === 'string' ? `${method} ${path}` : undefined,
  );
  keep(operations, ({ operationId }) => (typeof operationId === 'string' ? operationId : undefined));
  return kept;
}

function freePath(group: string, names: Iterable<string>, taken: ReadonlySet<string>): string {
  let best: string | undefined;
  for (const name of names) {
    const path = `${group}.${name}`;
    if (!taken.has(path.toLowerCase())) return path;
    best ??= path;
  }
  for (let count = 2; ; count++) {
    const path = `${best}${/\d$/.test(best ?? '') ? '_' : ''}${count}`;
    if (!taken.has(path.toLowerCase())) return path;
  }
}
