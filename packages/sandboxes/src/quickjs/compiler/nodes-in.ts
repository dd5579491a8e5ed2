import type { Node } from 'acorn';

export type AnyNode = Node & Record<string, unknown>;

/** A node and all below it, without those that are closed. It keeps a list of its own: code can be nested deeper than calls can. */
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
