import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebServer } from './web-server.ts';

export interface ShopApi {
  url: string;
  /** The requests in order: `POST /orders {"item":"tea"}`. */
  received: string[];
  /** Makes its operations the tools `shop.orders.*` of a server. */
  connect(server: Pick<WebServer, 'client'>): Promise<void>;
  stop(): void;
}

/** An external API with operations that read, write and delete, and one that never answers. */
export async function startShopApi(): Promise<ShopApi> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await read(request);
    received.push(`${request.method} ${request.url} ${body}`.trim());
    answer(request, response, body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    async connect({ client }) {
      await client.sources.create({ document: JSON.stringify(describe(url)), namespace: 'shop' });
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  // The response is lost.
  if (request.url === '/transfers') return;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ method: request.method, ...(body !== '' && { order: JSON.parse(body) }) }));
}

function describe(url: string) {
  const ok = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
  const order = {
    type: 'object',
    required: ['item'],
    properties: { item: { type: 'string' }, count: { type: 'integer' }, note: { type: 'string' } },
  };
  const requestBody = { required: true, content: { 'application/json': { schema: order } } };
  return {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    servers: [{ url }],
    paths: {
      '/orders': {
        get: { operationId: 'list', tags: ['orders'], responses: ok },
        post: { operationId: 'create', tags: ['orders'], requestBody, responses: ok },
      },
      '/orders/{id}': {
        delete: {
          operationId: 'remove',
          tags: ['orders'],
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: ok,
        },
      },
      '/transfers': { post: { operationId: 'transfer', tags: ['orders'], requestBody, responses: ok } },
    },
  };
}
