import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer } from '../local-server.ts';

interface RawMessage {
  id?: number | string;
  method?: string;
  params?: {
    name?: string;
    arguments?: Record<string, unknown>;
    cursor?: string;
    progressToken?: number;
    _meta?: { progressToken?: number };
  };
  result?: unknown;
  error?: unknown;
}

export interface RawExchange {
  message: RawMessage;
  request: IncomingMessage;
  response: ServerResponse;
  /** Answers with a result as JSON. */
  answer(result: unknown): void;
  /** Sends a message on the response stream, which it opens. */
  send(message: object): void;
}

type Behaviour = (exchange: RawExchange) => unknown;

/** A server of the session era without the SDK, which may do everything wrong. */
export async function startRawServer(behaviours: Record<string, Behaviour>) {
  const received: RawMessage[] = [];
  const { url, close } = await startLocalServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const isPost = request.method === 'POST';
    const message: RawMessage = isPost ? JSON.parse(text) : { method: request.method };
    if (isPost) received.push(message);
    const { id, method = 'answer' } = message;
    const exchange: RawExchange = {
      message,
      request,
      response,
      answer: (result) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result })),
      send(sent) {
        if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...sent })}\n\n`);
      },
    };
    const behaviour = behaviours[method] ?? defaults[method];
    if (behaviour) return behaviour(exchange);
    if (!isPost) return response.writeHead(405).end();
    if (id !== undefined && message.method) return response.writeHead(404).end();
    response.writeHead(202).end();
  });
  return { url: `${url}/mcp`, received, behaviours, close };
}

const defaults: Record<string, Behaviour> = {
  initialize: ({ answer }) =>
    answer({
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'hostile', version: '1' },
    }),
  'tools/list': ({ answer }) => answer({ tools: [{ name: 'act', inputSchema: { type: 'object' } }] }),
  'logging/setLevel': ({ answer }) => answer({}),
};

export const textResult = (text: string) => ({ content: [{ type: 'text', text }] });
