import type { ToolRow } from '@executor/engine';
import { camelCase, wordsOf } from '../../text/words.ts';

const reserved = new Set(['then', 'constructor', 'prototype', 'toJSON', 'toString', 'valueOf', '__proto__']);
const maxChars = 100;

/**
 * Assigns a path to each tool: its own name, if code can use it. A known tool keeps its path. New tools get the first free name, in an order
 * that does not depend on the server's. No two paths differ only in case.
 */
export function nameTools(
  names: string[],
  { namespace, previous, groups }: { namespace: string; previous: ToolRow[]; groups: readonly string[] },
): Map<string, string> {
  const paths = new Map<string, string>();
  const taken = new Set(groups.map((group) => group.toLowerCase()));
  const known = new Map(
    previous.flatMap(({ path, origin }) => (typeof origin.name === 'string' ? [[origin.name, path]] : [])),
  );
  const take = (name: string, segment: string) => {
    taken.add(segment.toLowerCase());
    paths.set(name, `${namespace}.${segment}`);
  };
  const sorted = [...names].sort();
  for (const name of sorted) {
    const [first, segment, ...others] = known.get(name)?.split('.') ?? [];
    if (
      first === namespace &&
      segment !== undefined &&
      others.length === 0 &&
      !taken.has(segment.toLowerCase())
    )
      take(name, segment);
  }
  for (const name of sorted) if (!paths.has(name)) take(name, freeSegment(segmentOf(name), taken));
  return paths;
}

function segmentOf(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name.length <= maxChars)
    return reserved.has(name) ? `${name}_` : name;
  const ascii = name.normalize('NFKD').replace(/[^\x20-\x7e]/g, ' ');
  return camelCase(wordsOf(ascii.slice(0, maxChars))) || 'tool';
}

function freeSegment(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted.toLowerCase())) return wanted;
  for (let count = 2; ; count++) {
    const segment = `${wanted}${/\d$/.test(wanted) ? '_' : ''}${count}`;
    if (!taken.has(segment.toLowerCase())) return segment;
  }
}
