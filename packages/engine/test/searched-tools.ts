import { buildIndex } from '../src/catalog/discovery/index/build-index.ts';
import {
  type SearchedSource,
  SourceIndex,
  searchedSource,
} from '../src/catalog/discovery/index/source-index.ts';
import { openWords, packWords } from '../src/catalog/discovery/words/source-words.ts';
import type { Tool } from '../src/ports/source.ts';

/** A tool of an API, by its method and HTTP path. */
export function tool(
  origin: string,
  name: string,
  description: string,
  required: string[] = [],
  namespace = 'shop',
): Tool {
  const [method = '', path = ''] = origin.split(' ');
  return {
    path: `${namespace}.${name}`,
    description,
    effect: method === 'GET' ? 'read' : method === 'DELETE' ? 'destructive' : 'write',
    repeatable: false,
    version: '1',
    origin: { method, path },
    inputSchema: {
      type: 'object',
      required,
      properties: Object.fromEntries(required.map((parameter) => [parameter, { type: 'string' }])),
    },
  };
}

export function sourceOf(namespace: string, tools: Tool[]): SearchedSource {
  const index = new SourceIndex(buildIndex(openWords(packWords(tools), namespace)));
  return searchedSource({ namespace, name: namespace, index });
}
