import {
  type SearchedSource,
  type SearchOptions,
  type SearchOutcome,
  type Tool,
  toolText,
} from '@executor/engine';
import { vectorsFile } from '../build.ts';
import { createDiscovery } from '../src/create-discovery.ts';

const discovery = createDiscovery({ vectorsFile });

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

export function sourceOf(namespace: string, tools: Tool[], by = discovery): SearchedSource {
  return { namespace, name: namespace, index: by.open(by.index(tools.map(toolText))) };
}

/** Searches without the pauses between steps. */
export function search(
  sources: SearchedSource[],
  request: string,
  options: SearchOptions,
  by = discovery,
): SearchOutcome {
  const steps = by.search(sources, request, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
