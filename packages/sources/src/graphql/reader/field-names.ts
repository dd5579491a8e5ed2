import type { PreviousTool } from '../../reader/messages.ts';
import { isReservedName } from '../../text/words.ts';
import type { RootField } from './root-fields.ts';

const maxNameChars = 64;

/** A path for each root field: `namespace.query.repository`. A known field keeps its path, and no two paths differ only in case. */
export function nameFields(
  fields: RootField[],
  { namespace, previous }: { namespace: string; previous: PreviousTool[] },
): Map<RootField, string> {
  const known = new Map(
    previous
      .filter(({ path }) => path.startsWith(`${namespace}.`))
      .map(({ path, origin }) => [`${origin.operation} ${origin.field}`, path]),
  );
  const kept = (one: RootField) => known.get(`${one.operation} ${one.field.name}`);
  const paths = new Map<RootField, string>();
  for (const one of fields) {
    const path = kept(one);
    if (path !== undefined) paths.set(one, path);
  }
  const taken = new Set([...paths.values()].map((path) => path.toLowerCase()));
  const counts = new Map<string, number>();
  for (const one of fields) {
    if (paths.has(one)) continue;
    const path = freePath(`${namespace}.${one.operation}.${identifier(one.field.name)}`, taken, counts);
    taken.add(path.toLowerCase());
    paths.set(one, path);
  }
  return paths;
}

function identifier(name: string): string {
  const short = name.slice(0, maxNameChars);
  return isReservedName(short) ? `${short}_` : short;
}

function freePath(path: string, taken: ReadonlySet<string>, counts: Map<string, number>): string {
  const key = path.toLowerCase();
  let free = path;
  // The last number of each name is kept, because a schema may have thousands of names that are equal when they are cut.
  for (let count = counts.get(key) ?? 2; taken.has(free.toLowerCase()); count++) {
    free = `${path}_${count}`;
    counts.set(key, count + 1);
  }
  return free;
}
