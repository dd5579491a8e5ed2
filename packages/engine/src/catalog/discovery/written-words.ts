import type { Tool } from '../../ports/source.ts';
import { eachRun } from './text/runs.ts';
import { partsOf, termsOf } from './text/terms.ts';
import { SchemaReader } from './words/schema-words.ts';

/** A term as the tool writes it: what it is found by need not be a word (`delet`). */
export function writtenIn(tool: Tool, term: string): string {
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
  eachRun(text, (run) => {
    found ??= termsOf(run).includes(term)
      ? (partsOf(run).find((part) => termsOf(part).includes(term)) ?? run)
      : undefined;
  });
  return found;
}
