import type { Budget } from './budget.ts';

/** Deeper than any real value, and far from overflowing the stack. */
export const maxDepth = 200;

/** A copy of a JSON value; undefined if it is nested too deeply. */
export function copyJson(value: unknown, budget: Budget, depth = 0): { value: unknown } | undefined {
  if (typeof value !== 'object' || value === null) return { value };
  if (depth >= maxDepth) return undefined;
  return Array.isArray(value)
    ? copyArray(value, budget, depth)
    : copyObject(value as Record<string, unknown>, budget, depth);
}

/** Sets an own property. With `=` the key `__proto__` would set the prototype instead. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

function copyArray(items: unknown[], budget: Budget, depth: number): { value: unknown } | undefined {
  budget.spendOn(items, items.length);
  const value: unknown[] = [];
  for (const item of items) {
    const copied = copyJson(item, budget, depth + 1);
    if (copied === undefined) return undefined;
    value.push(copied.value);
  }
  return { value };
}

function copyObject(
  object: Record<string, unknown>,
  budget: Budget,
  depth: number,
): { value: unknown } | undefined {
  const keys = Object.keys(object);
  budget.spendOn(object, keys.length);
  const value: Record<string, unknown> = {};
  for (const key of keys) {
    const copied = copyJson(object[key], budget, depth + 1);
    if (copied === undefined) return undefined;
    setOwn(value, key, copied.value);
  }
  return { value };
}
