import { nearest } from '@executor/protocol';

/** Paths of a source that are similar to a wanted one by their letters, the most likely first. */
export interface NearPaths {
  /** Paths with a typing mistake, or with the same name in another group. */
  slips: string[];
  /** Paths that have most of their words in common with the wanted one. */
  alike: string[];
}

/** In a larger source only the namesakes are compared, because a hint must stay cheap. A search finds the others. */
const maxPaths = 2_000;
const maxResults = 6;
/** The minimum share of words that two paths have in common. */
const minLikeness = 0.6;

/**
 * Compares paths by group (all but the last segment) and name, because a source may have tens of thousands. A slip is a
 * similar name in the same group or in the group with the nearest name, or else the only tool with the same name. Other
 * namesakes and paths of the same words are `alike`.
 */
export function nearestPaths(wanted: string, paths: Iterable<string>): NearPaths {
  const [group, name] = split(wanted);
  const groups = new Map<string, string[]>();
  const namesakes: string[] = [];
  for (const path of paths) {
    const [parent, last] = split(path);
    const siblings = groups.get(parent);
    if (siblings) siblings.push(path);
    else groups.set(parent, [path]);
    if (last.toLowerCase() === name.toLowerCase()) namesakes.push(path);
  }
  const likelyGroup = groups.has(group) ? group : nearestGroup(group, [...groups.keys()]);
  const siblings = likelyGroup === undefined ? [] : (groups.get(likelyGroup) ?? []);
  const slip = findSlip(name, siblings);
  const all = [...groups.values()].flat();
  // Siblings are first, because the sort keeps the order of equally similar paths.
  const compared = [...new Set([...siblings, ...(all.length > maxPaths ? namesakes : all)])].slice(
    0,
    maxPaths,
  );
  const others = pathsAlike(wanted, compared);
  const namesake = namesakes.length === 1 ? namesakes : others.filter((path) => namesakes.includes(path));
  // If the group exists, a namesake in another group is no slip: it probably acts on another resource.
  const slips = slip !== undefined ? [slip] : groups.has(group) ? [] : namesake.slice(0, 1);
  const alike = new Set([...namesake.slice(0, 1), ...others]);
  return { slips, alike: [...alike].filter((path) => !slips.includes(path)).slice(0, maxResults) };
}

/** Compares groups without the namespace, which all of them share. */
function nearestGroup(group: string, groups: string[]): string | undefined {
  const start = group.indexOf('.') + 1;
  const inside = start === 0 ? [] : groups.filter((one) => one.length > start).map((one) => one.slice(start));
  const found = nearest(group.slice(start), inside);
  return found && `${group.slice(0, start)}${found}`;
}

function findSlip(name: string, siblings: string[]): string | undefined {
  const names = new Map(siblings.map((path) => [split(path)[1], path]));
  if (names.has(name)) return names.get(name);
  const found = nearest(
    name,
    [...names.keys()].filter((one) => isSlip(name, one)),
  );
  return found && names.get(found);
}

/** Compares names word by word: `addComment` is no slip of `getComment`, although only three letters differ. */
function isSlip(one: string, other: string): boolean {
  if (plain(one) === plain(other)) return true;
  const [words, others] = [wordsIn(one), wordsIn(other)];
  return (
    words.length === others.length &&
    words.every((word, position) => nearest(word, [others[position] ?? '']) !== undefined)
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** The paths that share most words with the wanted one, the most similar first. */
function pathsAlike(wanted: string, paths: string[]): string[] {
  const words = wordsOf(wanted);
  return paths
    .map((path) => ({ path, likeness: likeness(words, wordsOf(path)) }))
    .filter((candidate) => candidate.likeness >= minLikeness)
    .sort((one, other) => other.likeness - one.likeness)
    .map(({ path }) => path);
}

function likeness(one: Set<string>, other: Set<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return (2 * shared) / (one.size + other.size || 1);
}

const maxPathChars = 300;

/** The words of a path without its namespace, in the singular. */
function wordsOf(path: string): Set<string> {
  return new Set(
    wordsIn(path.slice(path.indexOf('.') + 1, maxPathChars)).map((word) => word.replace(/(?<=..)s$/, '')),
  );
}

/** The words of `pulls.mergeAll` are `pulls`, `merge`, `all`. */
export function wordsIn(path: string): string[] {
  return path
    .slice(0, maxPathChars)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

function split(path: string): [group: string, name: string] {
  const dot = path.lastIndexOf('.');
  return [path.slice(0, dot), path.slice(dot + 1)];
}
