import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server';
import { converse } from '../../src/mcp/call/conversation.ts';
import type { ToolCall } from '../../src/mcp/call/tool-call.ts';
import { toolCall } from '../../src/mcp/mcp-server.ts';
import { audio, image } from './fixture-content.ts';
import { askingTools } from './fixture-input.ts';
import { taskTools } from './fixture-tasks.ts';
import type { FixtureTool, ToolRequest } from './fixture-tool.ts';

const text = (value: string) => ({ type: 'text' as const, text: value });
const picture = { type: 'image' as const, data: image, mimeType: 'image/png' };
const resource = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'What the resource holds.' },
});
const always = (...content: CallToolResult['content']): FixtureTool => ({
  description: 'Answers the same each time',
  call: () => ({ content }),
});

const plainTools: Record<string, FixtureTool> = {
  test_simple_text: always(text('This is a simple text response for testing.')),
  test_image_content: always(picture),
  test_audio_content: always({ type: 'audio', data: audio, mimeType: 'audio/wav' }),
  test_embedded_resource: always(resource('test://embedded-resource')),
  test_multiple_content_types: always(
    text('All of these:'),
    picture,
    resource('test://mixed-content-resource'),
  ),
  test_error_handling: {
    description: 'Fails',
    call: () => ({ content: [text('This tool fails on purpose.')], isError: true }),
  },
  test_tool_with_logging: { description: 'Says what it does', call: logging },
  test_logging_tool: { description: 'Says what it does', call: logging },
  test_tool_with_progress: { description: 'Says how far it is', call: progressing },
  test_reconnection: { description: 'Has its stream closed meanwhile', call: reconnecting },
  test_missing_capability: { description: 'Needs a client that samples', call: sampling },
  test_custom_headers: {
    description: 'Has an argument that is repeated in a header',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
    call: ({ arguments: args }) => ({ content: [text(JSON.stringify(args))] }),
  },
  json_schema_2020_12_tool: {
    description: 'Has a schema with all that JSON Schema 2020-12 allows',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: ({ arguments: args }) => ({ content: [text(JSON.stringify(args))] }),
  },
};

/** Tools that ask the client while they run, as in the session era. */
const sessionTools: Record<string, FixtureTool> = {
  test_sampling: {
    description: 'Lets the client’s model think',
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    async call({ arguments: { prompt }, context }) {
      const content = text(String(prompt));
      const params = { messages: [{ role: 'user' as const, content }], maxTokens: 100 };
      const answer = await context.mcpReq.requestSampling(params, { timeout: 2_000 });
      return { content: [text(JSON.stringify(answer))] };
    },
  },
  test_elicitation: {
    description: 'Asks the user as the product does: a run asks, and the answer arrives in another request',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    call: (request) => asking(request),
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks the user and suggests a default',
    call: (request) =>
      asking(request, {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks the user to choose',
    call: (request) =>
      asking(request, {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['One', 'Two'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      }),
  },
};

const titled = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
  { const: 'value3', title: 'Third' },
];

export const fixtureTools: Record<string, FixtureTool> = {
  ...plainTools,
  ...sessionTools,
  ...taskTools,
  ...Object.fromEntries(
    Object.entries(askingTools).map(([name, call]) => [
      name,
      { description: 'Asks for something first', call },
    ]),
  ),
};

async function logging({ context }: ToolRequest): Promise<CallToolResult> {
  for (const status of ['begun', 'under way', 'done']) {
    await context.mcpReq.log('info', status);
    await sleep(20);
  }
  return { content: [text('Logged.')] };
}

async function progressing({ context }: ToolRequest): Promise<CallToolResult> {
  const progressToken = context.mcpReq._meta?.progressToken ?? 0;
  for (const progress of [0, 50, 100]) {
    const params = { progressToken, progress, total: 100 };
    await context.mcpReq.notify({ method: 'notifications/progress', params });
    await sleep(20);
  }
  return { content: [text(String(progressToken))] };
}

async function reconnecting({ context }: ToolRequest): Promise<CallToolResult> {
  context.http?.closeSSE?.();
  await sleep(100);
  return { content: [text('Still there.')] };
}

function sampling({ server }: ToolRequest): CallToolResult {
  const capabilities = server.getClientCapabilities() ?? {};
  if ('sampling' in capabilities) return { content: [text('The client samples.')] };
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
}

type Fields = ElicitRequestFormParams['requestedSchema']['properties'];

/** The suite expects richer forms than the product has, so these fields replace those of the run. */
async function asking(
  { server, ...request }: ToolRequest,
  properties?: Fields,
): Promise<CallToolResult | InputRequiredResult> {
  const { parts, exchange } = request;
  const waitMs = 5_000;
  const begin = { code: 'return tools.notes.ask({})', waitMs };
  const { id: executionId, settled } = await parts.engine.executions.start(exchange.principal, begin);
  const call = toolCall(server, request);
  const shown = properties ? showing(call, { type: 'object', properties }) : call;
  return converse(shown, { executionId, waitMs, settled }, request.name);
}

function showing(
  { send, ...call }: ToolCall,
  requestedSchema: ElicitRequestFormParams['requestedSchema'],
): ToolCall {
  if (send === undefined) return call;
  return {
    ...call,
    send: ({ params, ...message }) => {
      const isQuestion = message.method === 'elicitation/create';
      return send({ ...message, params: isQuestion ? { ...params, requestedSchema } : params });
    },
  };
}
