import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What a test changes and observes at the server. */
export interface FixtureState {
  era: 'modern' | 'legacy';
  calls: { name: string; arguments: unknown }[];
  aborted: string[];
  /** Tools in addition to those below. */
  more: Record<string, unknown>[];
  instructions?: string;
}

type Ask = (request: {
  args: Record<string, unknown>;
  context: ServerContext;
  state: FixtureState;
}) => Promise<unknown> | unknown;

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const image = { type: 'image', data: Buffer.from('a picture').toString('base64'), mimeType: 'image/png' };
const nameForm = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
};

const behaviours: Record<string, Ask> = {
  echo: ({ args }) => text(String(args.text)),
  'get-json': () => text('{"a":[1,2]}'),
  sum: ({ args }) => ({ ...text('3'), structuredContent: { sum: Number(args.a) + Number(args.b) } }),
  chart: () => ({ content: [{ type: 'text', text: 'see' }, image], structuredContent: { points: 1 } }),
  parts: () => ({
    content: [
      { type: 'text', text: 'one' },
      image,
      { type: 'audio', data: Buffer.from('a sound').toString('base64'), mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'test://a', mimeType: 'text/plain', text: 'inside' } },
      { type: 'resource_link', uri: 'test://b', name: 'b' },
    ],
  }),
  nothing: () => ({ content: [] }),
  fail: () => ({ ...text('It does not work.'), isError: true }),
  async report({ context }) {
    const { progressToken } = context.mcpReq._meta ?? {};
    if (progressToken !== undefined)
      await context.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, total: 2, message: 'half' },
      });
    await context.mcpReq.notify({
      method: 'notifications/message',
      params: { level: 'warning', logger: 'disk', data: 'nearly full' },
    });
    return text('reported');
  },
  endless: ({ context, state }) =>
    new Promise((_, reject) => {
      context.mcpReq.signal.addEventListener('abort', () => {
        state.aborted.push('endless');
        reject(new Error('cancelled'));
      });
    }),
  async greet({ context, state }) {
    if (state.era === 'legacy') {
      const answer = await context.mcpReq.elicitInput({ message: 'Who are you?', requestedSchema: nameForm });
      return text(`${answer.action} ${answer.content?.name ?? ''}`.trim());
    }
    const { inputResponses } = context.mcpReq;
    const answer = acceptedContent(inputResponses, 'who');
    if (answer) return text(`accept ${answer.name} ${context.mcpReq.requestState()}`);
    if (inputResponses?.who) return text(JSON.stringify(inputResponses.who));
    return inputRequired({
      inputRequests: { who: inputRequired.elicit({ message: 'Who are you?', requestedSchema: nameForm }) },
      requestState: 'kept by the client',
    });
  },
  async visit({ context, state }) {
    const page = { message: 'Open the page', url: 'https://pages.test/open', elicitationId: 'one' };
    if (state.era === 'legacy') {
      const { action } = await context.mcpReq.elicitInput({ mode: 'url', ...page });
      return text(action);
    }
    if (context.mcpReq.inputResponses?.page) return text('visited');
    return inputRequired({ inputRequests: { page: inputRequired.elicitUrl(page) } });
  },
  async think({ context, state }) {
    const params = {
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'hm' } }],
      maxTokens: 5,
    };
    if (state.era === 'modern')
      return {
        resultType: 'input_required',
        inputRequests: { think: { method: 'sampling/createMessage', params } },
      };
    return text(JSON.stringify(await context.mcpReq.send({ method: 'sampling/createMessage', params })));
  },
};

const schemas: Record<string, Record<string, unknown>> = {
  echo: { properties: { text: { type: 'string', description: 'What to say' } }, required: ['text'] },
  sum: { properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
};

const annotations: Record<string, Record<string, unknown>> = {
  echo: { readOnlyHint: true },
  fail: { destructiveHint: true },
  nothing: { idempotentHint: true },
};

/** A server of either era with tools, resources and prompts. */
export function createFixtureServer(state: FixtureState): Server {
  const server = new Server(
    { name: 'fixture', title: 'The Fixture', version: '1' },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} },
      instructions: state.instructions ?? 'Say hello first.',
    },
  );
  // One page per half, so that every client has to page.
  server.setRequestHandler('tools/list', ({ params }) => {
    const all = [...Object.keys(behaviours).map(describeTool), ...state.more];
    const half = Math.ceil(all.length / 2);
    return (
      params?.cursor === undefined
        ? { tools: all.slice(0, half), nextCursor: 'second' }
        : { tools: all.slice(half) }
    ) as never;
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    state.calls.push({ name, arguments: args });
    const behaviour = behaviours[name];
    if (!behaviour) return text(`called ${name}`);
    return (await behaviour({ args, context, state })) as CallToolResult;
  });
  server.setRequestHandler('resources/list', () => ({
    resources: [{ uri: 'test://a', name: 'a', mimeType: 'text/plain' }],
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://{id}', name: 'any' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
    contents: [
      uri === 'test://a'
        ? { uri, mimeType: 'text/plain', text: 'inside' }
        : { uri, mimeType: 'image/png', blob: image.data },
    ],
  }));
  server.setRequestHandler('prompts/list', () => ({
    prompts: [{ name: 'hello', arguments: [{ name: 'who' }] }],
  }));
  server.setRequestHandler('prompts/get', ({ params }) => ({
    description: 'A greeting',
    messages: [{ role: 'user', content: { type: 'text', text: `Hello ${params.arguments?.who}` } }],
  }));
  return server;
}

function describeTool(name: string) {
  return {
    name,
    description: `Does ${name}`,
    inputSchema: { type: 'object', ...schemas[name] },
    ...(name === 'sum' && { outputSchema: { type: 'object', properties: { sum: { type: 'number' } } } }),
    ...(annotations[name] && { annotations: annotations[name] }),
  };
}
