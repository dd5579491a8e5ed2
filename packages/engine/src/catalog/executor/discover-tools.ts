import type { Tool } from '../../ports/source.ts';
import type { Store } from '../../ports/store.ts';
import type { DiscoverQuery, ToolFinder } from '../discovery/tool-finder.ts';
import { type BuiltInTools, operationFor, readerOf, toolDefaults } from './built-in-tools.ts';

interface Dependencies {
  store: Pick<Store, 'executions'>;
  discovery: Pick<ToolFinder, 'discover'>;
}

/** `tools.discover`: the search for tools. */
export function discoverTools({ store, discovery }: Dependencies): BuiltInTools {
  const discover = operationFor(store, (input: DiscoverQuery, execution, meter) =>
    discovery.discover(readerOf(execution, meter), input),
  );
  return { tools, operations: { discover } };
}

const text = { type: 'string' };

const tools: Tool[] = [
  {
    ...toolDefaults,
    path: 'discover',
    description:
      'Finds tools for a task, described in a sentence or in keywords. One query may describe several tasks.',
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['query'],
      properties: {
        query: { ...text, minLength: 1, maxLength: 4000, description: 'Such as: merge a pull request' },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
        namespace: { ...text, maxLength: 200, description: 'Only the tools of this source' },
        depth: {
          type: 'integer',
          minimum: 1,
          maximum: 20,
          description: 'Levels of types that the signatures spell out',
        },
        explain: { type: 'boolean', default: false, description: 'Say why each tool was found' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['bestPath', 'results', 'total', 'hint'],
      properties: {
        bestPath: { type: ['string', 'null'] },
        unsure: { type: 'boolean', description: 'The best result may not be the right one' },
        results: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'description', 'signature', 'approval'],
            properties: {
              path: text,
              description: text,
              signature: text,
              approval: { enum: ['allow', 'requireApproval', 'deny'] },
              why: { type: 'object' },
            },
          },
        },
        total: { type: 'integer' },
        hint: text,
      },
    },
  },
];
