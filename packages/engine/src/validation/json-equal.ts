/**
 * Whether two JSON values are the same: by value, and exactly (`1` is not `"1"`, text is compared code unit by code unit). Only own
 * properties count, so a value that was parsed with a key such as `__proto__` is compared like any other. `visit` is called for each step.
 */
export function jsonEqual(a: unknown, b: unknown, visit?: () => void): boolean {
  visit?.();
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => jsonEqual(item, b[index], visit));
  }
  return sameProperties(a as Record<string, unknown>, b as Record<string, unknown>, visit);
}

function sameProperties(
  a: Record<string, unknown>,
  b: Record<string, unknown>,
  visit: (() => void) | undefined,
): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key], visit))
  );
}
