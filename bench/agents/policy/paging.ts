import { type Leaf, leavesOf, type Type } from './types.ts';

/** How a tool pages: which parameter leads to the next page, and where an answer has its value. */
export interface Pager {
  kind: 'cursor' | 'page' | 'offset';
  parameter: Leaf;
  /** Where the next cursor is. */
  next?: string[];
  size?: { parameter: Leaf; value: number };
}

const patterns = {
  cursor: /cursor|(page|next|continuation)[_-]?token|^after$|starting[_-]?after|\[after\]/i,
  page: /^page$|^page[_-]?(number|no|index)$|page\[number\]/i,
  offset: /offset|^skip$/i,
} as const;
const sizePattern = /^(limit|per[_-]?page|page[_-]?size|max[_-]?results)$|page\[(limit|size)\]/i;
const nextPattern = /next[_-]?(cursor|page[_-]?token|token|page)?$|(^|_)after$|^cursor$/i;
/** What models ask for if nothing says how much is allowed. */
const usualSize = 100;

export function pagerOf(input: Type, output: Type): Pager | undefined {
  const parameters = leavesOf(input, 2);
  const size = sizeOf(parameters);
  for (const kind of ['cursor', 'offset', 'page'] as const) {
    const parameter = parameters.find(({ name }) => patterns[kind].test(name));
    if (!parameter) continue;
    if (kind !== 'cursor') return { kind, parameter, ...(size && { size }) };
    const next = nextCursor(output);
    if (next) return { kind, parameter, next, ...(size && { size }) };
  }
  return undefined;
}

function sizeOf(parameters: Leaf[]): Pager['size'] {
  const parameter = parameters.find(({ name }) => sizePattern.test(name));
  if (!parameter) return undefined;
  const { comment } = parameter;
  const maximum =
    /\b\d+ to (\d+)|(?:at most|max(?:imum)?(?: of|:)?|up to|<=) ?(\d+)|max(?:imum)? \w+ (\d+)/i.exec(comment);
  const value = Number(maximum?.slice(1).find(Boolean) ?? usualSize);
  return { parameter, value: Math.min(value, usualSize) };
}

function nextCursor(output: Type): string[] | undefined {
  const places = leavesOf(output, 4).filter(
    ({ name, type }) => nextPattern.test(name) && type.kind !== 'array',
  );
  return places.toSorted((one, other) => score(other) - score(one))[0]?.path;
}

function score({ name, path }: Leaf): number {
  return (
    (/cursor|token|after/i.test(name) ? 1 : 0) + (/next/i.test(path.join('.')) ? 1 : 0) - path.length * 0.1
  );
}

/** Whether an answer with so many items is probably only the first page. */
export function isProbablyMore(value: unknown, items: number, text: string): boolean {
  if (/more pages|next page|has more/i.test(text.split('\n').slice(1).join('\n'))) return true;
  const leaves = flat(value);
  const says = ([name, one]: [string, unknown]) =>
    (/has[_-]?more|has[_-]?next/i.test(name) && one === true) ||
    (nextPattern.test(name) && typeof one === 'string' && one !== '') ||
    (/^total|total$|total[_-]?(count|items)/i.test(name) && typeof one === 'number' && one > items) ||
    (/(total|last)[_-]?pages?|^pages$/i.test(name) && typeof one === 'number' && one > 1);
  if (leaves.some(says)) return true;
  return [10, 20, 25, 30, 50, 100].includes(items);
}

function flat(value: unknown, depth = 0): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 3) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => [
    [name, inner],
    ...flat(inner, depth + 1),
  ]);
}
