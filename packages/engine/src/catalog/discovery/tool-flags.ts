import { flag } from './index-data.ts';
import { intentsOf } from './lexicon/lexicon.ts';
import { type Intent, methodIntents } from './lexicon/verbs.ts';
import type { SearchableTool } from './searchable-tool.ts';

const searching = new Set(['search', 'find', 'query', 'lookup', 'resolve', 'searcher']);
const listing = new Set(['list', 'all', 'browse', 'index']);
const ownPlaces = /(?:^|\/)(?:me|user|my|self|current|account|viewer)(?:\/|\s|$)/;
const ownWords = /authenticated|current(?:ly signed in)? user|\bmy\b/i;

/** What kind of thing a tool does; `words` are those of its name. */
export function flagsOf(tool: SearchableTool, words: string[]): number {
  const { name, group, route, method, effect, deprecated, summary } = tool;
  let flags = deprecated ? flag.deprecated : 0;
  for (const intent of intents(words, method, effect)) flags |= flag[intent];
  if (words.some((word) => searching.has(word))) flags |= flag.search;
  if (words.some((word) => listing.has(word))) flags |= flag.list;
  const isMine =
    (ownPlaces.test(route) && !route.startsWith('/users/')) ||
    ownWords.test(summary) ||
    ownWords.test(name) ||
    ownWords.test(group);
  return isMine ? flags | flag.mine : flags;
}

/** By what its method and its name say; where neither does, by its effect. */
function intents(
  words: string[],
  method: string | undefined,
  effect: SearchableTool['effect'],
): readonly Intent[] {
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
