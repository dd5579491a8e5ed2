import { nearest } from '@executor/protocol';

/** Which paths of a source were probably meant, as far as their letters tell, the likeliest first. */
export interface NearPaths {
  /** The same but for a slip, or in another place. */
  slips: string[];
  /** Made of mostly the same words. */
  alike: string[];
}

/** With more, looking at each would cost more than a hint may: what they mean is searched for elsewhere. */
const maxPaths = 2_000;
/** How many are offered. */
const most = 6;
/** How many of the words of two paths must be the same, of all that they have. */
const minAlike = 0.6;

/**
 * Segment by segment, because a source may have tens of thousands: a slip among those beside it first, then in the place that has nearly
 * its name, then what alone has exactly its last name; and beside that what has it elsewhere, or is made of the same words.
 */
export function nearestPaths(wanted: string, paths: Iterable<string>): NearPaths {
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
  const meant = places.has(place) ? place : nearestPlace(place, [...places.keys()]);
  const beside = meant === undefined ? [] : (places.get(meant) ?? []);
  const found = slipAmong(name, beside);
  const all = [...places.values()].flat();
  // Of those that are equally alike, the ones beside it come first.
  const few = [...new Set([...beside, ...(all.length > maxPaths ? namesakes : all)])].slice(0, maxPaths);
  const others = alike(wanted, few);
  const namesake = namesakes.length === 1 ? namesakes : others.filter((path) => namesakes.includes(path));
  // In a place that there is, the name says less than what the path means: it may well be of another thing.
  const slips = found !== undefined ? [found] : places.has(place) ? [] : namesake.slice(0, 1);
  const rest = new Set([...namesake.slice(0, 1), ...others]);
  return { slips, alike: [...rest].filter((path) => !slips.includes(path)).slice(0, most) };
}

/** All places have the namespace, which would make the others seem more alike than they are. */
function nearestPlace(place: string, places: string[]): string | undefined {
  const start = place.indexOf('.') + 1;
  const inside = start === 0 ? [] : places.filter((one) => one.length > start).map((one) => one.slice(start));
  const found = nearest(place.slice(start), inside);
  return found && `${place.slice(0, start)}${found}`;
}

function slipAmong(name: string, beside: string[]): string | undefined {
  const names = new Map(beside.map((path) => [split(path)[1], path]));
  if (names.has(name)) return names.get(name);
  const found = nearest(
    name,
    [...names.keys()].filter((one) => isSlip(name, one)),
  );
  return found && names.get(found);
}

/** Word by word: `addComment` is no slip of `getComment`, although only three letters are others. */
function isSlip(one: string, other: string): boolean {
  if (plain(one) === plain(other)) return true;
  const [words, others] = [wordsIn(one), wordsIn(other)];
  return (
    words.length === others.length &&
    words.every((word, place) => nearest(word, [others[place] ?? '']) !== undefined)
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** Those that are made of mostly the same words, the likest first. */
function alike(wanted: string, paths: string[]): string[] {
  const words = wordsOf(wanted);
  return paths
    .map((path) => ({ path, likeness: likeness(words, wordsOf(path)) }))
    .filter(({ likeness: of }) => of >= minAlike)
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
  return new Set(
    wordsIn(path.slice(path.indexOf('.') + 1, longestPath)).map((word) => word.replace(/(?<=..)s$/, '')),
  );
}

/** `pulls.mergeAll` is `pulls`, `merge`, `all`. */
export function wordsIn(path: string): string[] {
  return path
    .slice(0, longestPath)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

function split(path: string): [place: string, name: string] {
  const dot = path.lastIndexOf('.');
  return [path.slice(0, dot), path.slice(dot + 1)];
}
