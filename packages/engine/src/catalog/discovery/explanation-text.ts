import type { DiscoveredTools } from '@executor/protocol';
import type { Tool } from '../../ports/source.ts';
import type { Why } from './ranking/explain.ts';
import { partsOf, termsOf } from './text/terms.ts';
import { eachToken } from './text/tokens.ts';
import { SchemaReader } from './words/schema-words.ts';

type ShownWhy = NonNullable<DiscoveredTools['results'][number]['why']>;

const signTexts: Record<Why['signs'][number], string> = {
  called: 'the request names it',
  anything: 'searches for anything',
  agree: 'does the kind of action that the request asks for',
  conflict: 'does another kind of action than the request asks for',
  unasked: 'changes something, but the request asks for no change',
  idle: 'only reads',
  deprecated: 'is deprecated',
  mine: 'is about the caller, like the request',
  named: 'searches, and the request contains a name',
};

/**
 * The reasons for a result, with words as the tool writes them. A word that is written differently has another ending.
 */
export function shownReasons({ words, signs, ...why }: Why, tool: Tool): ShownWhy {
  return {
    ...why,
    words: words.map((word) => {
      const as = writtenIn(tool, word.as);
      const via = word.via === 'itself' && as.toLowerCase() !== word.word ? 'inflection' : word.via;
      return { ...word, as, via };
    }),
    signs: signs.map((sign) => signTexts[sign]),
  };
}

/** A term as the tool writes it: a stem need not be a word (`delet`). */
function writtenIn(tool: Tool, term: string): string {
  const { names, about } = new SchemaReader(tool.definitions).input(tool.inputSchema);
  const name = typeof tool.origin.operationId === 'string' ? tool.origin.operationId : '';
  for (const text of [tool.path, tool.description, name, ...names, ...about]) {
    const found = writtenInText(text, term);
    if (found !== undefined) return found;
  }
  return term;
}

function writtenInText(text: string, term: string): string | undefined {
  let found: string | undefined;
  eachToken(text, (token) => {
    found ??= termsOf(token).includes(term)
      ? (partsOf(token).find((part) => termsOf(part).includes(term)) ?? token)
      : undefined;
  });
  return found;
}
