import { nearest } from '@executor/protocol';

/**
 * The path of a source that was probably meant. Segment by segment, because a source may have tens of thousands: among those beside it
 * first, then in the place that has nearly its name, then wherever there is a tool of exactly its last name.
 */
export function nearestPath(wanted: string, paths: Iterable<string>): string | undefined {
  const [place, name] = split(wanted);
  const places = new Map<string, string[]>();
  let namesake: string | undefined;
  for (const path of paths) {
    const [parent, last] = split(path);
    const beside = places.get(parent);
    if (beside) beside.push(path);
    else places.set(parent, [path]);
    if (last.toLowerCase() === name.toLowerCase()) namesake ??= path;
  }
  const meant = places.has(place) ? place : nearest(place, [...places.keys()]);
  const beside = meant === undefined ? [] : (places.get(meant) ?? []);
  const found = beside.find((path) => path === `${meant}.${name}`) ?? nearest(`${meant}.${name}`, beside);
  return found ?? namesake ?? nearestOfAll(wanted, [...places.values()].flat());
}

/** With more, looking at each would cost more than a hint may. */
const mostPaths = 2_000;

function nearestOfAll(wanted: string, paths: string[]): string | undefined {
  return paths.length > mostPaths ? undefined : nearest(wanted, paths);
}

function split(path: string): [place: string, name: string] {
  const dot = path.lastIndexOf('.');
  return [path.slice(0, dot), path.slice(dot + 1)];
}
