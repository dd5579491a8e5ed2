import { segmentBreaks } from '../lexicon/stop-words.ts';
import type { WordCache } from '../text/word-cache.ts';

/**
 * The resources whose ids a caller knows after a call, as terms. They are the last segment of the HTTP path
 * (`/me/playlists`), and the last word of the summary and the name before a preposition (`Get current user's
 * playlists`).
 */
export function returnedResources({ route, name, summary }: TitledTool, cache: WordCache): string[] {
  const resources: string[] = [];
  const segment = cache.wordsIn(route.slice(route.trimEnd().lastIndexOf('/') + 1)).at(-1);
  if (segment !== undefined) addTo(resources, segment === 'me' ? 'user' : segment, cache);
  for (const words of [summary, name]) {
    const head = headOf(words);
    if (head !== undefined) addTo(resources, head, cache);
    for (const word of conversionTarget(words)) addTo(resources, word, cache);
  }
  return resources;
}

/** A tool's route, and the words of its name and its summary. */
interface TitledTool {
  route: string;
  name: readonly string[];
  summary: readonly string[];
}

const maxResources = 6;

function addTo(resources: string[], word: string, cache: WordCache): void {
  for (const term of cache.termsOf(word))
    if (resources.length < maxResources && !resources.includes(term)) resources.push(term);
}

const conversionVerbs = new Set(['convert', 'resolve', 'translate', 'map', 'geocode', 'get']);

/** The words after `to`: `Convert an address to geographic coordinates`. */
function conversionTarget(words: readonly string[]): string[] {
  const to = conversionVerbs.has(words[0] ?? '') ? words.lastIndexOf('to') : -1;
  return to < 0 ? [] : words.slice(to + 1, to + 4);
}

function headOf(words: readonly string[]): string | undefined {
  const end = words.findIndex(
    (word, position) => position > 0 && (segmentBreaks.has(word) || word === 'and' || word === 'or'),
  );
  return (end < 0 ? words : words.slice(0, end)).at(-1);
}
