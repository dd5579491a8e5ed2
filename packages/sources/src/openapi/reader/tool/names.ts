import type { Operation } from '../operation/operations.ts';
import type { PreviousTool } from '../process/messages.ts';
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
    .map((operation) => ({ operation, group: groupOf(operation), names: [...namesOf(operation)] }));
  // Shorter URL paths choose first, because a short name usually means them.
  unnamed.sort((a, b) => a.operation.path.length - b.operation.path.length);
  const leavesOutGroup = usesShortPaths(previous, namespace);
  for (const { operation, group, names } of unnamed) {
    const short = group === namespace && leavesOutGroup ? shortPath(namespace, names, taken) : undefined;
    const path = short ?? freePath(`${namespace}.${group}`, names, taken);
    taken.add(path.toLowerCase());
    paths.set(operation, path);
  }
  return paths;
}

/** The engine leaves out a group that is called like the namespace when it adds a source. Sources from before that keep the group. */
function usesShortPaths(previous: PreviousTool[], namespace: string): boolean {
  return previous.length > 0 && !previous.some(({ path }) => path.startsWith(`${namespace}.${namespace}.`));
}

/** The best name without the group, if neither a tool nor a group has it. */
function shortPath(namespace: string, [name]: string[], taken: ReadonlySet<string>): string | undefined {
  if (name === undefined || name === namespace) return undefined;
  const path = `${namespace}.${name}`.toLowerCase();
  const isTaken = [...taken].some((other) => other === path || other.startsWith(`${path}.`));
  return isTaken ? undefined : `${namespace}.${name}`;
}

type OperationKeys = { method?: unknown; path?: unknown; operationId?: unknown };

function keepPaths(operations: Operation[], previous: PreviousTool[]): Map<Operation, string> {
  const kept = new Map<Operation, string>();
  const unassigned = new Map(previous.map((tool) => [tool.path, tool]));
  const keep = (key: (one: OperationKeys) => string | undefined) => {
    const byKey = new Map([...unassigned.values()].map((tool) => [key(tool.origin), tool.path]));
    for (const operation of operations) {
      const operationKey = kept.has(operation) ? undefined : key(operation);
      const path = operationKey === undefined ? undefined : byKey.get(operationKey);
      if (path === undefined || !unassigned.delete(path)) continue;
      kept.set(operation, path);
    }
  };
  keep(({ method, path }) =>
    typeof method === 'string' && typeof path === 'string' ? `${method} ${path}` : undefined,
  );
  keep(({ operationId }) => (typeof operationId === 'string' ? operationId : undefined));
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
