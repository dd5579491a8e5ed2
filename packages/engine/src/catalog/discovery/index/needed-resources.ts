import type { Tool } from '../../../ports/source.ts';
import { WordCache } from '../text/word-cache.ts';
import { requiredOf } from '../words/required-parameters.ts';
import { isIdentifyingWord } from '../words/schema-words.ts';
import { namespaceOf } from '../words/source-words.ts';
import { lastSegment, routeBefore, routeOf } from '../words/text-fields.ts';

/** The words of a required parameter. */
export interface RequiredParameter {
  name: readonly string[];
  description: readonly string[];
  /** The route before the parameter; undefined if the parameter is not in the route. */
  routeBefore: string | undefined;
}

/** The tool that has the parameter. */
export interface ConsumingTool {
  namespace: string;
  route: string;
}

/**
 * The resources whose ids a caller must know, as terms: `playlist` for the parameter `playlist_id`. They follow from
 * the name of the parameter, or from the segment before it in the path (`/artists/{id}`), or else from its description
 * (`the IDs of the tracks`).
 */
export function neededResources(
  { name: words, description, routeBefore: before }: RequiredParameter,
  { namespace, route }: ConsumingTool,
  cache: WordCache,
): readonly string[] {
  const segment = before === undefined ? undefined : lastSegment(before);
  const last = words.at(-1) ?? '';
  const known = resourceOfWord.get(last) ?? resourceOfWord.get(words[0] ?? '');

  if (known !== undefined && (words.length === 1 || known === 'coordinate')) return cache.termsOf(known);
  if (!isIdentifyingWord(last)) return segment === undefined ? [] : cache.termsOf(last);
  const head = words.at(-2);
  if (head !== undefined && (segment !== undefined || !freeWords.has(last))) return cache.termsOf(head);
  if (head !== undefined) return last === 'code' || last === 'codes' ? cache.termsOf(head) : [];
  if (segment !== undefined) return cache.termsOf(cache.wordsIn(segment).at(-1) ?? '');
  if (freeWords.has(last)) return [];
  // The name of the system is not a resource: `the user's Acme ID`.
  const systemName = cache.wordsIn(namespace);
  const described = resourcesIn(
    description.filter((word) => !systemName.includes(word)),
    cache,
  );
  return described.length > 0 || route === '' ? described : cache.termsOf(cache.wordsIn(route).at(-1) ?? '');
}

/** The parameter of a tool that takes the id of a resource. */
export function parameterFor(resource: string, tool: Tool): string | undefined {
  const cache = new WordCache();
  const consumer = { namespace: namespaceOf(tool.path), route: routeOf(tool) };
  return requiredOf(tool.inputSchema).find(({ name, description }) => {
    const parameter = {
      name: cache.wordsIn(name),
      description: cache.wordsIn(description),
      routeBefore: routeBefore(name, tool),
    };
    return neededResources(parameter, consumer, cache).includes(resource);
  })?.name;
}

/** A parameter with one of these names takes a value that the caller chooses, not the id of a resource. */
const freeWords = new Set(['name', 'names', 'number', 'no', 'code', 'codes', 'key', 'hash', 'ref', 'handle']);
/** Names of parameters that stand for a resource without the word `id`. */
const resourceOfWord = new Map(
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

/** The words around `ID` in a description: `the IDs of the artists or the users`. */
function resourcesIn(words: readonly string[], cache: WordCache): string[] {
  const id = words.findIndex((word) =>
    ['id', 'ids', 'uri', 'uris', 'identifier', 'identifiers'].includes(word),
  );
  const near = id < 0 ? [] : words.slice(Math.max(0, id - 7), id).concat(words.slice(id + 1, id + 5));
  return [
    ...new Set(
      near.filter((word) => !fillerWords.has(word) && word.length > 2).flatMap((word) => cache.termsOf(word)),
    ),
  ].slice(0, 4);
}

const fillerWords = new Set(
  'the for and list comma separated unique of one valid string array each item items more can this that will with from been'.split(
    ' ',
  ),
);
