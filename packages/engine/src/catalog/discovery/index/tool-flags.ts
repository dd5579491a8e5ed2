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

const searchWords = new Set(['search', 'find', 'query', 'lookup', 'resolve', 'searcher']);
const listWords = new Set(['list', 'all', 'browse', 'index']);
const webWords = new Set(['web', 'internet', 'google', 'bing', 'wikipedia', 'encyclopedia']);
const webSearchWords = new Set([...searchWords, 'ask', 'answer', 'answers', 'google', 'bing', 'wikipedia']);
const callerRoute = /(?:^|\/)(?:me|user|my|self|current|account|viewer)(?:\/|\s|$)/;

/** The words of a tool's name, group and summary. */
interface TitleWords {
  name: readonly string[];
  group: readonly string[];
  summary: readonly string[];
}

/** The flags of a tool: the kind of its action, and whether it is about the caller. */
export function flagsOf(kind: ToolKind, route: string, { name, group, summary }: TitleWords): number {
  let flags = kind.deprecated ? flag.deprecated : 0;
  if (kind.method !== undefined) flags |= flag.overHttp;
  for (const intent of toolIntents(name, kind)) flags |= flag[intent];
  if (name.some((word) => searchWords.has(word))) flags |= flag.search;
  if (name.some((word) => listWords.has(word))) flags |= flag.list;
  if (searchesAnything(kind, name, summary)) flags |= flag.anything;
  const isMine =
    (callerRoute.test(route) && !route.startsWith('/users/')) ||
    mentionsCaller(summary) ||
    mentionsCaller(name) ||
    mentionsCaller(group);
  return isMine ? flags | flag.mine : flags;
}

/**
 * `Search the web`, `Look up an article of Wikipedia`, `googleSearch`, but no tool that changes anything, such as a
 * search history.
 */
function searchesAnything(
  { effect, deprecated }: ToolKind,
  name: readonly string[],
  summary: readonly string[],
): boolean {
  if (effect === 'destructive' || deprecated || !name.some((word) => webSearchWords.has(word))) return false;
  if (name.some((word) => intentsOf(word).some((intent) => intent !== 'read'))) return false;
  const isEngine = (words: readonly string[]) =>
    words.some((word, position) => word === 'search' && words[position + 1] === 'engine');
  return [...name, ...summary].some((word) => webWords.has(word)) || isEngine(name) || isEngine(summary);
}

/** `my playlists`, `the authenticated user`, `the current user`, `the currently signed in user`. */
function mentionsCaller(words: readonly string[]): boolean {
  return words.some(
    (word, position) =>
      word === 'my' ||
      word === 'authenticated' ||
      (word === 'current' && words[position + 1] === 'user') ||
      (word === 'currently' && words.slice(position + 1, position + 4).includes('user')),
  );
}

/** The intents of a tool's method and verb; if it has neither, those of its effect. */
function toolIntents(words: readonly string[], { method, effect }: ToolKind): readonly Intent[] {
  const verb = words.find((word) => intentsOf(word).length > 0);
  const verbIntents = verb === undefined ? [] : intentsOf(verb);
  if (method !== undefined) {
    const read: Intent[] = effect === 'read' ? ['read'] : [];
    const others = method === 'GET' ? [] : verbIntents.filter((intent) => intent !== 'read');
    return [...(methodIntents[method] ?? []), ...read, ...others];
  }
  if (verbIntents.length > 0) return verbIntents;
  return effect === 'read' ? ['read'] : effect === 'destructive' ? ['delete'] : [];
}
