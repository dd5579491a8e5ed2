import { intentsOf } from '../lexicon/intents.ts';
import { type Intent, methodIntents } from '../lexicon/verbs.ts';
import type { ToolKind } from '../words/tool-kind.ts';

/** The bits of a tool's flags. */
export const flag = {
  read: 1,
  create: 2,
  update: 4,
  delete: 8,
  deprecated: 16,
  /** The tool searches by words. */
  search: 32,
  /** The tool is about the caller. */
  mine: 64,
  /** The tool returns several items. */
  list: 128,
  /** The tool searches for anything, such as the web or an encyclopedia. */
  anything: 256,
  /** The tool has an HTTP method and path, so other paths name what it needs. */
  overHttp: 512,
} as const;

export const anyIntent = flag.read | flag.create | flag.update | flag.delete;

const searching = new Set(['search', 'find', 'query', 'lookup', 'resolve', 'searcher']);
const listing = new Set(['list', 'all', 'browse', 'index']);
const everywhere = new Set(['web', 'internet', 'google', 'bing', 'wikipedia', 'encyclopedia']);
const looking = new Set([...searching, 'ask', 'answer', 'answers', 'google', 'bing', 'wikipedia']);
const ownPlaces = /(?:^|\/)(?:me|user|my|self|current|account|viewer)(?:\/|\s|$)/;

/** In words, what it is called, what it is filed under and what it says of itself. */
interface SaidWords {
  named: readonly string[];
  grouped: readonly string[];
  said: readonly string[];
}

/** What a tool does, and to whose things. */
export function flagsOf(kind: ToolKind, route: string, { named, grouped, said }: SaidWords): number {
  let flags = kind.deprecated ? flag.deprecated : 0;
  if (kind.method !== undefined) flags |= flag.overHttp;
  for (const intent of intents(named, kind)) flags |= flag[intent];
  if (named.some((word) => searching.has(word))) flags |= flag.search;
  if (named.some((word) => listing.has(word))) flags |= flag.list;
  if (seeksAnything(kind, named, said)) flags |= flag.anything;
  const isMine =
    (ownPlaces.test(route) && !route.startsWith('/users/')) ||
    speaksOfCaller(said) ||
    speaksOfCaller(named) ||
    speaksOfCaller(grouped);
  return isMine ? flags | flag.mine : flags;
}

/** `Search the web`, `Look up an article of Wikipedia`, `googleSearch`; but not what deletes the history of searches, or changes anything else. */
function seeksAnything(
  { effect, deprecated }: ToolKind,
  named: readonly string[],
  said: readonly string[],
): boolean {
  if (effect === 'destructive' || deprecated || !named.some((word) => looking.has(word))) return false;
  if (named.some((word) => intentsOf(word).some((intent) => intent !== 'read'))) return false;
  const isEngine = (words: readonly string[]) =>
    words.some((word, place) => word === 'search' && words[place + 1] === 'engine');
  return [...named, ...said].some((word) => everywhere.has(word)) || isEngine(named) || isEngine(said);
}

/** `my playlists`, `the authenticated user`, `the current user`, `the currently signed in user`. */
function speaksOfCaller(words: readonly string[]): boolean {
  return words.some(
    (word, place) =>
      word === 'my' ||
      word === 'authenticated' ||
      (word === 'current' && words[place + 1] === 'user') ||
      (word === 'currently' && words.slice(place + 1, place + 4).includes('user')),
  );
}

/** By what its method and its name say; where neither does, by its effect. */
function intents(words: readonly string[], { method, effect }: ToolKind): readonly Intent[] {
  const verb = words.find((word) => intentsOf(word).length > 0);
  const said = verb === undefined ? [] : intentsOf(verb);
  if (method !== undefined) {
    const read: Intent[] = effect === 'read' ? ['read'] : [];
    const also = method === 'GET' ? [] : said.filter((intent) => intent !== 'read');
    return [...(methodIntents[method] ?? []), ...read, ...also];
  }
  if (said.length > 0) return said;
  return effect === 'read' ? ['read'] : effect === 'destructive' ? ['delete'] : [];
}
