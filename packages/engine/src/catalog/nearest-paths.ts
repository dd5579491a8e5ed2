import { nearest } from '@executor/protocol';

/** With more, looking at each would cost more than a hint may. */
const mostPaths = 2_000;
/** How many are offered. */
const most = 6;
/** How many of the words of two paths must be the same, of all that they have. */
const leastAlike = 0.6;

/**
 * The paths of a source that were probably meant, the likeliest first. Segment by segment, because a source may have tens of thousands:
 * a slip among those beside it first, then in the place that has nearly its name, then what has exactly its last name, then what is made
 * of the same words.
 */
export function nearestPaths(wanted: string, paths: Iterable<string>): string[] {
  const [place, name] = split(wanted);
  const places = new Map<string, string[]>();
  const namesakes: string[] = [];
  for (const path of paths) {
    const [parent, last] = split(path);
    const beside = places.get(parent);
    if (beside) beside.push(path);
    else places.set(parent, [path]);
    if (last.toLowerCase() === name.toLowerCase()) namesakes.push(path);
  }
  const meant = places.has(place) ? place : nearest(place, [...places.keys()]);
  const beside = meant === undefined ? [] : (places.get(meant) ?? []);
  const found = beside.find((path) => path === `${meant}.${name}`) ?? nearest(`${meant}.${name}`, beside);
  const all = [...places.values()].flat();
  const few = all.length > mostPaths ? [...beside, ...namesakes].slice(0, mostPaths) : all;
  const slip = found ?? namesakes[0] ?? (all.length > mostPaths ? undefined : nearest(wanted, all));
  const others = alike(wanted, few);
  return [...new Set([...(slip === undefined ? [] : [slip]), ...others])].slice(0, most);
}

/** Those that are made of mostly the same words, the likest first. */
function alike(wanted: string, paths: string[]): string[] {
  const words = wordsOf(wanted);
  return paths
    .map((path) => ({ path, likeness: likeness(words, wordsOf(path)) }))
    .filter(({ likeness: of }) => of >= leastAlike)
    .sort((one, other) => other.likeness - one.likeness)
    .map(({ path }) => path);
}

function likeness(one: Set<string>, other: Set<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return (2 * shared) / (one.size + other.size || 1);
}

const longestPath = 300;

/** Without the namespace, which all have; `pulls` and `pull` are the same word. */
function wordsOf(path: string): Set<string> {
  const words = path
    .slice(path.indexOf('.') + 1, longestPath)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => word.replace(/(?<=..)s$/, ''))
    .filter((word) => word !== '');
  return new Set(words);
}

function split(path: string): [place: string, name: string] {
  const dot = path.lastIndexOf('.');
  return [path.slice(0, dot), path.slice(dot + 1)];
}
