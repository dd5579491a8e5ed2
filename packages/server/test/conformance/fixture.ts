import {
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { serveTasks, tasksExtension } from '../../src/mcp/call/tasks.ts';
import type { CreateMcpServer } from '../../src/mcp/endpoint.ts';
import { audio, image } from './fixture-content.ts';
import { askingPrompt } from './fixture-input.ts';
import { fixtureTools } from './fixture-tools.ts';

/**
 * The tools, resources and prompts that the official suite requires by name, behind the product's endpoint. So the suite tests how `/mcp`
 * implements the protocol, including parts that the product's two tools do not need. Tasks, and the state between the rounds of a call,
 * are the product's own.
 */
export const createFixture: CreateMcpServer = (exchange, era, parts) => {
  const server = new Server(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: {
        ...{ tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} },
        ...(era === 'modern' && { extensions: { [tasksExtension]: {} } }),
      },
      cacheHints: hintsFor(
        'tools/list',
        'prompts/list',
        'resources/list',
        'resources/templates/list',
        'resources/read',
      ),
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(fixtureTools).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema: inputSchema ?? { type: 'object' },
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = fixtureTools[params.name];
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    const { name, arguments: args = {} } = params;
    return tool.call({ name, arguments: args, context, server, parts, exchange, era });
  });
  if (era === 'modern') serveTasks(server, parts, exchange);
  serveResources(server);
  servePrompts(server);
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  server.setRequestHandler('logging/setLevel', () => ({}));
  return server;
};

function hintsFor(...methods: string[]): Record<string, { ttlMs: number; cacheScope: 'public' }> {
  return Object.fromEntries(methods.map((method) => [method, { ttlMs: 60_000, cacheScope: 'public' }]));
}

const resources: Record<string, { mimeType: string; text: string } | { mimeType: string; blob: string }> = {
  'test://static-text': { mimeType: 'text/plain', text: 'A text that never changes.' },
  'test://static-binary': { mimeType: 'image/png', blob: image },
  'test://watched-resource': { mimeType: 'text/plain', text: 'A text that could be watched.' },
  'test://sound': { mimeType: 'audio/wav', blob: audio },
};

function serveResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function readResource(uri: string): ReadResourceResult {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }
  const content = resources[uri];
  if (content === undefined) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, ...content }] };
}

type Arguments = Record<string, string>;

const prompts: Record<
  string,
  { arguments?: string[]; messages(args: Arguments): GetPromptResult['messages'] }
> = {
  test_simple_prompt: { messages: () => [userMessage('A prompt without arguments.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    messages: ({ arg1, arg2 }) => [userMessage(`arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    messages: ({ resourceUri: uri = '' }) => [
      { role: 'user', content: { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'It.' } } },
      userMessage('Read the resource above.'),
    ],
  },
  test_prompt_with_image: {
    messages: () => [
      { role: 'user', content: { type: 'image', data: image, mimeType: 'image/png' } },
      userMessage('Look at the image above.'),
    ],
  },
};

function userMessage(text: string): GetPromptResult['messages'][number] {
  return { role: 'user', content: { type: 'text', text } };
}

function servePrompts(server: Server): void {
  const listed = [...Object.keys(prompts), 'test_input_required_result_prompt'];
  server.setRequestHandler('prompts/list', () => ({
    prompts: listed.map((name) => ({
      name,
      description: 'A prompt of the tests',
      arguments: prompts[name]?.arguments?.map((argument) => ({ name: argument, required: true })) ?? [],
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    if (params.name === 'test_input_required_result_prompt') return askingPrompt(context);
    const prompt = prompts[params.name];
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such prompt.');
    return { messages: prompt.messages(params.arguments ?? {}) };
  });
}
