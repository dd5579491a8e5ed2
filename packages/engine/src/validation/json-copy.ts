/** Deeper than any real value, and far from overflowing the stack. */
export const maxDepth = 200;

/** A copy of a JSON value; undefined if it is nested too deeply. */
export function copyJson(value: unknown, depth = 0): { value: unknown } | undefined {
  if (typeof value !== 'object' || value === null) return { value };
  if (depth >= maxDepth) return undefined;
  return Array.isArray(value) ? copyArray(value, depth) : copyObject(value as Record<string, unknown>, depth);
}

/** Sets an own property. With `=` the key `__proto__` would set the prototype instead. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

function copyArray(items: unknown[], depth: number): { value: unknown } | undefined {
  const value: unknown[] = [];
  for (const item of items) {
    const copied = copyJson(item, depth + 1);
    if (copied === undefined) return undefined;
    value.push(copied.value);
  }
  return { value };
}

function copyObject(object: Record<string, unknown>, depth: number): { value: unknown } | undefined {
  const value: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const copied = copyJson(object[key], depth + 1);
    if (copied === undefined) return undefined;
    setOwn(value, key, copied.value);
  }
  return { value };
}
