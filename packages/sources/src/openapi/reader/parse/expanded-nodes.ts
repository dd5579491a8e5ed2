/**
 * How many values a document has when each alias is written out, or undefined where they are more than `most`, or one holds itself. Aliases
 * are shared objects, so that a few lines can stand for more values than any memory holds.
 */
export function expandedNodes(root: unknown, most: number): number | undefined {
  const sizes = new Map<object, number>();
  /** Those whose children are being counted: to meet one of them again is a cycle. */
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
      if (size > most) return undefined;
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
