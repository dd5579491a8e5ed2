/** `github.issues.create`; `*` stands for one segment, `**` at the end for one or more; `**` alone covers everything. */
export function patternCovers(pattern: string, path: string): boolean {
  if (pattern === '**') return true;
  // Most rules are told apart by how they begin; every call is held against every rule.
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === path;
  if (!path.startsWith(pattern.slice(0, star))) return false;
  const wanted = pattern.split('.');
  const given = path.split('.');
  const open = wanted.at(-1) === '**';
  if (open ? given.length < wanted.length : given.length !== wanted.length) return false;
  const fixed = open ? wanted.slice(0, -1) : wanted;
  return fixed.every((segment, index) => segment === '*' || segment === given[index]);
}

/**
 * Which of two patterns that cover the same path is the more specific one: above 0 the first, below 0 the second, 0 where they are
 * the same. The first segment in which they differ decides: a name is more specific than `*`, and `*` than `**`.
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
