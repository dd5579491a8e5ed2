import type { Node } from 'acorn';

export type AnyNode = Node & Record<string, unknown>;

/**
 * Iterates over a node and its descendants, except closed nodes and theirs. It uses a list instead of recursion, because code can be nested
 * deeper than the call stack.
 */
export function* nodesIn(
  root: unknown,
  isClosed: (node: AnyNode) => boolean = () => false,
): Generator<AnyNode> {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (typeof item !== 'object' || item === null) continue;
    if (isNode(item)) {
      if (isClosed(item)) continue;
      yield item;
    }
    for (const inner of Object.values(item)) if (typeof inner === 'object') waiting.push(inner);
  }
}

export function isNode(value: unknown): value is AnyNode {
  return typeof (value as AnyNode | null | undefined)?.type === 'string';
}
