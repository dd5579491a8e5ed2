/**
 * Counts the values of a document with every alias expanded. Undefined if there are more than the maximum, or if an alias contains
 * itself. Aliases are shared objects, so a few lines can expand to more values than fit in memory.
 */
export function expandedNodes(root: unknown, max: number): number | undefined {
  const sizes = new Map<object, number>();
  /** Objects on the current path. Meeting one of them again is a cycle. */
  const entered = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.at(-1);
    if (typeof value !== 'object' || value === null || sizes.has(value)) {
      open.pop();
    } else if (!entered.has(value)) {
      entered.add(value);
      for (const child of Object.values(value)) {
        if (typeof child !== 'object' || child === null || sizes.has(child)) continue;
        if (entered.has(child)) return undefined;
        open.push(child);
      }
    } else {
      open.pop();
      const size = sizeOf(value, sizes);
      if (size > max) return undefined;
      sizes.set(value, size);
      entered.delete(value);
    }
  }
  return sizes.get(root as object) ?? 1;
}

function sizeOf(value: object, sizes: Map<object, number>): number {
  let size = 1;
  for (const child of Object.values(value)) size += sizes.get(child as object) ?? 1;
  return size;
}
