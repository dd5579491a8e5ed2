import { segmentBreaks } from './lexicon/stop-words.ts';
import type { SearchableTool } from './searchable-tool.ts';
import type { WordCache } from './text/word-cache.ts';

/**
 * What is known after a call: what comes last in the HTTP path (`/me/playlists`), and what the summary and the name end with before they go into
 * where or how (`Get current user's playlists`). Nothing where it is said what is answered, and nothing of that identifies anything.
 */
export function givenThings(tool: SearchableTool, cache: WordCache): string[] {
  const { summary, name, route, mayIdentify } = tool;
  if (!mayIdentify) return [];
  const things = new Set<string>();
  const place = cache.wordsIn(route.slice(route.trimEnd().lastIndexOf('/') + 1)).at(-1);
  if (place !== undefined)
    for (const term of cache.termsOf(place === 'me' ? 'user' : place)) things.add(term);
  for (const text of [summary, name]) {
    const words = cache.wordsIn(text);
    const head = headOf(words);
    if (head !== undefined) for (const term of cache.termsOf(head)) things.add(term);
    for (const term of made(words, cache)) things.add(term);
  }
  return [...things].slice(0, 6);
}

/** `Convert an address to geographic coordinates`. */
function made(words: string[], cache: WordCache): string[] {
  const to = ['convert', 'resolve', 'translate', 'map', 'geocode', 'get'].includes(words[0] ?? '')
    ? words.lastIndexOf('to')
    : -1;
  return to < 0 ? [] : words.slice(to + 1, to + 4).flatMap((word) => cache.termsOf(word));
}

function headOf(words: string[]): string | undefined {
  const end = words.findIndex(
    (word, place) => place > 0 && (segmentBreaks.has(word) || word === 'and' || word === 'or'),
  );
  return (end < 0 ? words : words.slice(0, end)).at(-1);
}
