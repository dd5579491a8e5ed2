import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Like most APIs: lists in pages, an error for an unknown id, and a wrapper around search results. */
const total = 260;

function issue(number: number) {
  const user = { login: `user${number % 3}`, id: number % 3 };
  return {
    number,
    title: `Issue ${number}`,
    state: 'open',
    labels: [{ name: 'bug' }],
    user,
    closed_at: null,
  };
}

function numbers(first: number, count: number): number[] {
  return Array.from({ length: Math.max(0, Math.min(count, total - first + 1)) }, (_, index) => first + index);
}

/** A small issue tracker on loopback with an OpenAPI document. */
export class TrackerApi {
  readonly received: string[] = [];
  readonly #server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://api');
    this.received.push(`${request.method} ${url.pathname}`);
    answer(request.method ?? 'GET', url, response);
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function answer(method: string, url: URL, response: ServerResponse): void {
  const json = (value: unknown, headers: Record<string, string> = {}, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  const [, , , , second = '', number] = url.pathname.split('/');
  const page = Number(url.searchParams.get('page') ?? 1);
  const size = Number(url.searchParams.get('per_page') ?? 30);
  const found = numbers((page - 1) * size + 1, size).map(issue);
  if (url.pathname === '/search') return void json({ total_count: total, items: found });
  if (url.pathname === '/cursor') {
    return void json({ data: found.slice(0, 2), next_cursor: 'abc', has_more: true });
  }
  if (method === 'POST') return void json(issue(1), {}, 201);
  if (second !== 'issues') return void json({ name: 'site', open_issues: total });
  if (number !== undefined) {
    return void (Number(number) > total
      ? json({ message: 'Not Found' }, {}, 404)
      : json(issue(Number(number))));
  }
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const host = response.req.headers.host ?? '';
  const link = `<http://${host}${next.pathname}${next.search}>; rel="next"`;
  json(found, page * size < total ? { link } : {});
}

const text = { type: 'string' };
const integer = { type: 'integer' };

function parameter(name: string, where: string, schema: object) {
  return { name, in: where, required: where === 'path', schema };
}

const repository = [parameter('owner', 'path', text), parameter('repo', 'path', text)];
const pages = [
  parameter('per_page', 'query', { ...integer, maximum: 100 }),
  parameter('page', 'query', integer),
];

function operation(operationId: string, parameters: object[], schema: object, rest: object = {}) {
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  return {
    operationId,
    tags: [operationId.split('/')[0]],
    summary: operationId,
    parameters,
    responses,
    ...rest,
  };
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

export function trackerDocument(url: string): string {
  const issues = { type: 'array', items: ref('Issue') };
  const body = {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['title'],
          properties: { title: text, body: text, labels: { type: 'array', items: text } },
        },
      },
    },
  };
  const found = { type: 'object', properties: { total_count: integer, items: issues } };
  const paged = {
    type: 'object',
    properties: { data: issues, next_cursor: text, has_more: { type: 'boolean' } },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Tracker', version: '1' },
    servers: [{ url }],
    paths: {
      '/repos/{owner}/{repo}': { get: operation('repos/get', repository, { type: 'object' }) },
      '/repos/{owner}/{repo}/issues': {
        get: operation('issues/listForRepo', [...repository, ...pages], issues),
        post: operation('issues/create', repository, ref('Issue'), { requestBody: body }),
      },
      '/repos/{owner}/{repo}/issues/{number}': {
        get: operation('issues/get', [...repository, parameter('number', 'path', integer)], ref('Issue')),
      },
      '/search': { get: operation('search/issues', [parameter('q', 'query', text), ...pages], found) },
      '/cursor': { get: operation('events/list', [parameter('cursor', 'query', text)], paged) },
    },
    components: {
      schemas: {
        Issue: {
          type: 'object',
          required: ['number', 'title', 'state', 'user'],
          properties: {
            number: integer,
            title: text,
            state: text,
            labels: { type: 'array', items: { type: 'object', properties: { name: text } } },
            user: { type: 'object', required: ['login'], properties: { login: text, id: integer } },
            closed_at: { type: ['string', 'null'] },
          },
        },
      },
    },
  });
}
