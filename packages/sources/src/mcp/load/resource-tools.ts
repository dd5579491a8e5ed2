import type { JsonSchema, Tool } from '@executor/engine';
import type { McpPlan } from '../plan.ts';

type Listed = Pick<Tool, 'description' | 'inputSchema'> & { segments: string; method: McpPlan['method'] };

const text = (description: string): JsonSchema => ({ type: 'string', description });
const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

const resources: Listed[] = [
  {
    segments: 'resources.list',
    method: 'resources/list',
    description: 'List the resources of this server, with the templates of their URIs.',
    inputSchema: object({}),
  },
  {
    segments: 'resources.read',
    method: 'resources/read',
    description: 'Read a resource of this server by its URI.',
    inputSchema: object({ uri: text('A URI that resources.list returns, or one that fits a template') }, [
      'uri',
    ]),
  },
];

const prompts: Listed[] = [
  {
    segments: 'prompts.list',
    method: 'prompts/list',
    description: 'List the prompts of this server, with their arguments.',
    inputSchema: object({}),
  },
  {
    segments: 'prompts.get',
    method: 'prompts/get',
    description: 'Get the messages of a prompt of this server.',
    inputSchema: object(
      {
        name: text('A name that prompts.list returns'),
        arguments: { type: 'object', additionalProperties: { type: 'string' } },
      },
      ['name'],
    ),
  },
];

/** The tools for what a server offers besides its tools. The protocol defines them as reads. */
export function resourceTools(
  capabilities: { resources?: unknown; prompts?: unknown },
  namespace: string,
  route: McpPlan['route'],
): Tool[] {
  const offered = [...(capabilities.resources ? resources : []), ...(capabilities.prompts ? prompts : [])];
  return offered.map(({ segments, method, ...tool }) => ({
    ...tool,
    path: `${namespace}.${segments}`,
    effect: 'read',
    repeatable: true,
    version: '1',
    origin: { method },
    plan: { method, route } satisfies McpPlan,
  }));
}
