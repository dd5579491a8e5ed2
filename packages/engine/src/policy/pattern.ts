/** Whether a pattern covers a path. `*` is one segment, `**` at the end is one or more; `**` alone covers everything. */
export function patternCovers(pattern: string, path: string): boolean {
  if (pattern === '**') return true;
  // Every call is compared with every rule, and most rules differ in how they begin.
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === path;
  if (!path.startsWith(pattern.slice(0, star))) return false;
  const wanted = pattern.split('.');
  const segments = path.split('.');
  const isOpen = wanted.at(-1) === '**';
  if (isOpen ? segments.length < wanted.length : segments.length !== wanted.length) return false;
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  return fixed.every((segment, index) => segment === '*' || segment === segments[index]);
}

/**
 * Compares two patterns that cover the same path: above 0 if the first is more specific, below 0 if the second is, 0 if they are the
 * same. The first segment in which they differ decides: a name is more specific than `*`, and `*` than `**`.
 */
export function compareSpecificity(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = rank(left[index]) - rank(right[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function rank(segment: string | undefined): number {
  if (segment === undefined) return 0;
  return segment === '**' ? 1 : segment === '*' ? 2 : 3;
}
