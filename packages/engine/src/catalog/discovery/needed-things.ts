import { identifying } from './lexicon/identifying.ts';
import type { AskingTool, RequiredParameter } from './searchable-tool.ts';
import { WordCache } from './text/word-cache.ts';

/**
 * What a caller must have found out before: `playlist` where `playlist_id` is required. By the name of the parameter, by what comes before it in
 * the path (`/artists/{id}`), and where neither says it, by its explanation (`the IDs of the tracks`).
 */
export function neededThings(tool: AskingTool, cache: WordCache): NeededThing[] {
  const { required } = tool;
  if (required.length === 0) return none;
  const things = new Map<string, NeededThing>();
  for (const parameter of required) {
    for (const term of thingsOf(parameter, tool, cache)) {
      if (things.has(term) || things.size === mostThings) continue;
      things.set(term, { term, within: parameter.within });
    }
  }
  return [...things.values()];
}

export interface NeededThing {
  term: string;
  /** The route of what lists them, if anything does: `/orders` of `/orders/{order_id}`. */
  within: string | undefined;
}

const none: NeededThing[] = [];
const mostThings = 8;

/** The parameter by which a tool is told of a thing: what people and models are shown, because a term need not be a word. */
export function parameterFor(thing: string, tool: AskingTool): string | undefined {
  const cache = new WordCache();
  return tool.required.find((parameter) => thingsOf(parameter, tool, cache).includes(thing))?.name;
}

/** A name of these names no thing of the system: it is what the caller wants. */
const free = new Set(['name', 'names', 'number', 'no', 'code', 'codes', 'key', 'hash', 'ref', 'handle']);
const alone = new Map(
  Object.entries({
    owner: 'user',
    org: 'organization',
    repo: 'repository',
    username: 'user',
    login: 'user',
    project: 'project',
    symbol: 'symbol',
    ticker: 'ticker',
    latitude: 'coordinate',
    longitude: 'coordinate',
    lat: 'coordinate',
    lon: 'coordinate',
    lng: 'coordinate',
    coordinates: 'coordinate',
  }),
);

function thingsOf(
  { name, description, after }: RequiredParameter,
  { path, method, route }: AskingTool,
  cache: WordCache,
): readonly string[] {
  const words = cache.wordsIn(name);
  const last = words.at(-1) ?? '';
  const known = alone.get(last) ?? alone.get(words[0] ?? '');

  if (known !== undefined && (words.length === 1 || known === 'coordinate')) return cache.termsOf(known);
  if (!identifying.has(last)) return after === undefined ? [] : cache.termsOf(words.at(-1) ?? '');
  const head = words.at(-2);
  if (head !== undefined && (after !== undefined || !free.has(last))) return cache.termsOf(head);
  if (head !== undefined) return last === 'code' || last === 'codes' ? cache.termsOf(head) : [];
  if (after !== undefined) return cache.termsOf(cache.wordsIn(after).at(-1) ?? '');
  if (free.has(last)) return [];
  // What a system calls itself is none of its things: `the user's Acme ID`.
  const own = cache.wordsIn(path.slice(0, path.indexOf('.')));
  const said = thingsIn(
    cache.wordsIn(description).filter((word) => !own.includes(word)),
    cache,
  );
  return said.length > 0 || method === undefined ? said : cache.termsOf(cache.wordsIn(route).at(-1) ?? '');
}

/** The words right before `ID`, and before the words before it: `the IDs of the artists or the users`. */
function thingsIn(words: readonly string[], cache: WordCache): string[] {
  const at = words.findIndex((word) =>
    ['id', 'ids', 'uri', 'uris', 'identifier', 'identifiers'].includes(word),
  );
  const near = at < 0 ? [] : words.slice(Math.max(0, at - 7), at).concat(words.slice(at + 1, at + 5));
  return [
    ...new Set(
      near.filter((word) => !filler.has(word) && word.length > 2).flatMap((word) => cache.termsOf(word)),
    ),
  ].slice(0, 4);
}

const filler = new Set(
  'the for and list comma separated unique of one valid string array each item items more can this that will with from been'.split(
    ' ',
  ),
);
