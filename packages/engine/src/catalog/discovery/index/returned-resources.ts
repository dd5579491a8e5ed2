import { segmentBreaks } from '../lexicon/stop-words.ts';
import type { WordCache } from '../text/word-cache.ts';

/**
 * What is known after a call: what comes last in the HTTP path (`/me/playlists`), and what the summary and the name end with before they go into
 * where or how (`Get current user's playlists`).
 */
export function returnedResources({ route, named, said }: GivingTool, cache: WordCache): string[] {
  const things: string[] = [];
  const place = cache.wordsIn(route.slice(route.trimEnd().lastIndexOf('/') + 1)).at(-1);
  if (place !== undefined) addTo(things, place === 'me' ? 'user' : place, cache);
  for (const words of [said, named]) {
    const head = headOf(words);
    if (head !== undefined) addTo(things, head, cache);
    for (const word of made(words)) addTo(things, word, cache);
  }
  return things;
}

/** Its route, and the words of its name and its summary. */
interface GivingTool {
  route: string;
  named: readonly string[];
  said: readonly string[];
}

const maxThings = 6;

function addTo(things: string[], word: string, cache: WordCache): void {
  for (const term of cache.termsOf(word))
    if (things.length < maxThings && !things.includes(term)) things.push(term);
}

const making = new Set(['convert', 'resolve', 'translate', 'map', 'geocode', 'get']);

/** `Convert an address to geographic coordinates`. */
function made(words: readonly string[]): string[] {
  const to = making.has(words[0] ?? '') ? words.lastIndexOf('to') : -1;
  return to < 0 ? [] : words.slice(to + 1, to + 4);
}

function headOf(words: readonly string[]): string | undefined {
  const end = words.findIndex(
    (word, place) => place > 0 && (segmentBreaks.has(word) || word === 'and' || word === 'or'),
  );
  return (end < 0 ? words : words.slice(0, end)).at(-1);
}
