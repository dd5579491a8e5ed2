import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An external API that an attacker uses: deep types, large answers, and operations that always ask or never do. */
export class HostileApi {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<HostileApi> {
    const server = createServer((request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/json');
      response.end(request.url === '/big' ? bigAnswer : '{"ok":true}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HostileApi(server);
  }

  document(): string {
    const object = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });
    const json = (schema: object) => ({ 'application/json': { schema } });
    const operation = (operationId: string, more: object = {}) => ({
      operationId,
      tags: ['all'],
      responses: { 200: { description: 'ok', content: json({}) } },
      ...more,
    });
    return JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Hostile', version: '1' },
      servers: [{ url: this.url }],
      paths: {
        '/big': { get: operation('big') },
        '/small': { get: operation('small') },
        '/note': { post: operation('note') },
        '/item': { delete: operation('remove', { parameters: [numberedParameter] }) },
        '/deep': { post: operation('deep', { requestBody: { content: json(object('level0')) } }) },
      },
      components: { schemas: deepSchemas(object) },
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const numberedParameter = { name: 'id', in: 'query', required: true, schema: { type: 'integer' } };
const mebibyte = 1024 * 1024;
const entry = `{"name":"entry","values":[1,2,3,{"more":"${'x'.repeat(900)}"}]}`;
const bigAnswer = `[${Array.from({ length: Math.floor((10 * mebibyte) / entry.length) }, () => entry).join(',')}]`;

/** Each type has eight fields of the next type, so that its text is eight times as long with each level. */
function deepSchemas(reference: (name: string) => object): Record<string, object> {
  const levels = Array.from({ length: 20 }, (_, level) => {
    const fields = Array.from({ length: 8 }, (_, field) => [`field${field}`, reference(`level${level + 1}`)]);
    return [`level${level}`, { type: 'object', properties: Object.fromEntries(fields) }];
  });
  return { ...Object.fromEntries(levels), level20: { type: 'string' } };
}
