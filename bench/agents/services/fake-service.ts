import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Item = Record<string, unknown>;
/** All data of a service: lists of items by the name of their collection. */
export type State = Record<string, Item[]>;
type Schema = Record<string, unknown>;

export interface Call {
  state: State;
  path: Record<string, string>;
  query: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a fake service reads bodies that the document describes
  body: any;
  /** The address of the request, for links. */
  url: URL;
}

export interface Reply {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  id?: string;
  tag?: string;
  summary: string;
  description?: string;
  /** Parameters of the query and the headers. Those of the path follow from the path. */
  parameters?: Schema[];
  body?: Schema;
  reply?: Schema;
  /** Without a handler, the operation answers with an empty object and changes nothing. */
  handle?(call: Call): Reply;
}

/** A service that exists only for the benchmark: its document, its data at the start of each task, and its behaviour. */
export interface FakeService {
  name: string;
  info: Schema;
  /** The words for the parameters of paths. */
  pathParameters: Record<string, string>;
  schemas?: Record<string, Schema>;
  operations: Operation[];
  seed(): State;
  /** The answer to a path without an operation. */
  notFound?: unknown;
}

/** A running service on loopback. */
export interface RunningService {
  name: string;
  document: string;
  url: string;
  state: State;
  /** Starts again with the data of the seed. */
  reset(): void;
  close(): Promise<void>;
}

export async function startService(
  service: FakeService,
  document = documentOf(service),
): Promise<RunningService> {
  const routes = service.operations.map((operation) => ({ operation, pattern: patternOf(operation.path) }));
  const running = { state: service.seed() };
  const server = createServer((request, response) => {
    answer(request, response, { routes, service, state: running.state }).catch((error: Error) =>
      response.writeHead(500).end(JSON.stringify({ message: error.stack })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    name: service.name,
    document,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get state() {
      return running.state;
    },
    reset: () => {
      running.state = service.seed();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Serving {
  routes: { operation: Operation; pattern: RegExp }[];
  service: FakeService;
  state: State;
}

async function answer(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://service');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const { status = 200, body, headers } = replyTo(request.method ?? 'GET', url, text, serving);
  response.writeHead(status, {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

function replyTo(method: string, url: URL, text: string, { routes, service, state }: Serving): Reply {
  for (const { operation, pattern } of routes) {
    const match = operation.method === method ? pattern.exec(url.pathname) : null;
    if (!match) continue;
    const path = Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    const body = text === '' ? {} : JSON.parse(text);
    return (
      operation.handle?.({ state, path, query: Object.fromEntries(url.searchParams), body, url }) ?? {
        body: {},
      }
    );
  }
  return { status: 404, body: service.notFound ?? { message: 'Not found' } };
}

function patternOf(path: string): RegExp {
  const source = path
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{') ? `(?<${part.slice(1, -1)}>[^/:]+)` : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'),
    );
  return new RegExp(`^${source.join('')}$`);
}

/** The OpenAPI document of a service. */
export function documentOf({ info, operations, schemas, pathParameters }: FakeService): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, id, tag, summary, description, parameters = [], body, reply } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      return {
        name,
        in: 'path',
        required: true,
        description: pathParameters[name],
        schema: { type: 'string' },
      };
    });
    const content = (schema: Schema) => ({ 'application/json': { schema } });
    const ok = { description: 'Successful response', ...(reply && { content: content(reply) }) };
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        ...(id !== undefined && { operationId: id }),
        ...(tag !== undefined && { tags: [tag] }),
        summary,
        ...(description !== undefined && { description }),
        parameters: [...inPath, ...parameters],
        ...(body && { requestBody: { required: true, content: content(body) } }),
        responses: { [reply ? 200 : 204]: ok },
      },
    };
  }
  const components = { schemas: schemas ?? {} };
  return JSON.stringify({
    openapi: '3.0.3',
    info,
    servers: [{ url: 'https://api.example.com' }],
    paths,
    components,
  });
}
