import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An API on loopback whose `GET /NAME` answers as the test says. */
export class AnsweringApi {
  readonly answers = new Map<string, Answer>();
  readonly #server = createServer((request, response) => {
    const [, name = ''] = new URL(request.url ?? '/', 'http://api').pathname.split('/');
    const answer = this.answers.get(name);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** An OpenAPI document with an operation for each answer. */
  document(): string {
    const operation = (name: string) => ({
      get: {
        tags: ['get'],
        operationId: name,
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
      },
    });
    const paths = Object.fromEntries([...this.answers.keys()].map((name) => [`/${name}`, operation(name)]));
    return JSON.stringify({ openapi: '3.1.0', info: { title: 'Big', version: '1' }, paths });
  }
}

export function answerJson(body: Uint8Array, headers: Record<string, string> = {}): Answer {
  return (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
}
