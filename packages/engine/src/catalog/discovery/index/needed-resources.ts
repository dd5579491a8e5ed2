import type { Tool } from '../../../ports/source.ts';
import { WordCache } from '../text/word-cache.ts';
import { requiredOf } from '../words/required-parameters.ts';
import { isIdentifyingWord } from '../words/schema-words.ts';
import { namespaceOf } from '../words/source-words.ts';
import { lastSegment, routeBefore, routeOf } from '../words/text-fields.ts';

/** A parameter that must be given, in words. */
export interface RequiredParameter {
  name: readonly string[];
  description: readonly string[];
  /** The route up to it, where it is in the route. */
  within: string | undefined;
}

/** The tool that asks for it. */
export interface AskingTool {
  namespace: string;
  route: string;
}

/**
 * What a caller must have found out before: `playlist` where `playlist_id` is required. By the name of the parameter, by what comes before it in
 * the path (`/artists/{id}`), and where neither says it, by its explanation (`the IDs of the tracks`).
 */
export function neededResources(
  { name: words, description, within }: RequiredParameter,
  { namespace, route }: AskingTool,
  cache: WordCache,
): readonly string[] {
  const after = within === undefined ? undefined : lastSegment(within);
  const last = words.at(-1) ?? '';
  const known = alone.get(last) ?? alone.get(words[0] ?? '');

  if (known !== undefined && (words.length === 1 || known === 'coordinate')) return cache.termsOf(known);
  if (!isIdentifyingWord(last)) return after === undefined ? [] : cache.termsOf(last);
  const head = words.at(-2);
  if (head !== undefined && (after !== undefined || !free.has(last))) return cache.termsOf(head);
  if (head !== undefined) return last === 'code' || last === 'codes' ? cache.termsOf(head) : [];
  if (after !== undefined) return cache.termsOf(cache.wordsIn(after).at(-1) ?? '');
  if (free.has(last)) return [];
  // What a system calls itself is none of its things: `the user's Acme ID`.
  const own = cache.wordsIn(namespace);
  const said = thingsIn(
    description.filter((word) => !own.includes(word)),
    cache,
  );
  return said.length > 0 || route === '' ? said : cache.termsOf(cache.wordsIn(route).at(-1) ?? '');
}

/** The parameter by which a tool is told of a thing: what people and models are shown, because a term need not be a word. */
export function parameterFor(thing: string, tool: Tool): string | undefined {
  const cache = new WordCache();
  const asking = { namespace: namespaceOf(tool.path), route: routeOf(tool) };
  return requiredOf(tool.inputSchema).find(({ name, description }) => {
    const parameter = {
      name: cache.wordsIn(name),
      description: cache.wordsIn(description),
      within: routeBefore(name, tool),
    };
    return neededResources(parameter, asking, cache).includes(thing);
  })?.name;
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
