import type { ToolText } from '@executor/engine';
import { intentsOf } from '../lexicon/intents.ts';
import { type Intent, methodIntents } from '../lexicon/verbs.ts';
import { partsOf } from '../text/terms.ts';
import { eachToken } from '../text/tokens.ts';
import type { Titles } from './titles.ts';

/** The bits of a tool's flags. */
export const flag = {
  read: 1,
  create: 2,
  update: 4,
  delete: 8,
  deprecated: 16,
  /** The tool searches for anything, such as the web or an encyclopedia. */
  anything: 32,
} as const;

export const anyIntent = flag.read | flag.create | flag.update | flag.delete;

const webWords = new Set(['web', 'internet', 'google', 'bing', 'wikipedia', 'encyclopedia']);
const webSearchWords = new Set(
  'search find query lookup resolve searcher ask answer answers google bing wikipedia'.split(' '),
);

/** The flags of a tool: the kind of its action, and whether it searches for anything. */
export function flagsOf(tool: ToolText, titles: Titles): number {
  const name = wordsIn(titles.name);
  const summary = wordsIn(titles.summary);
  let flags = tool.deprecated ? flag.deprecated : 0;
  for (const intent of toolIntents(name, tool)) flags |= flag[intent];
  return searchesAnything(tool, name, summary) ? flags | flag.anything : flags;
}

function wordsIn(text: string): string[] {
  const words: string[] = [];
  eachToken(text, (token) => words.push(...partsOf(token)));
  return words;
}

/**
 * `Search the web`, `Look up an article of Wikipedia`, `googleSearch`, but no tool that changes anything, such as a
 * search history.
 */
function searchesAnything({ effect, deprecated }: ToolText, name: string[], summary: string[]): boolean {
  if (effect === 'destructive' || deprecated || !name.some((word) => webSearchWords.has(word))) return false;
  if (name.some((word) => intentsOf(word).some((intent) => intent !== 'read'))) return false;
  const isEngine = (words: string[]) => / search engine /.test(` ${words.join(' ')} `);
  return [...name, ...summary].some((word) => webWords.has(word)) || isEngine(name) || isEngine(summary);
}

/** The intents of a tool's method and verb; if it has neither, those of its effect. */
function toolIntents(words: string[], { method, effect }: ToolText): readonly Intent[] {
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
