import { type IncomingMessage, request as sendHttp } from 'node:http';
import { Readable } from 'node:stream';
import { arrayBuffer, json, text } from 'node:stream/consumers';
import type { FetchRequest, FetchResponse } from '@executor/client';

/**
 * `fetch` over `node:http`. The first call of Node's own `fetch` costs 80 ms of CPU time, more than everything else that a short command
 * does. Each request has a connection of its own, so no request is lost on a connection that the server is closing.
 */
export async function httpFetch(url: URL, request: FetchRequest): Promise<FetchResponse> {
  const send = url.protocol === 'https:' ? (await import('node:https')).request : sendHttp;
  return new Promise((resolve, reject) => {
    const { method, headers, signal, body } = request;
    send(url, { method, headers, signal, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode >= 300 && statusCode < 400 && response.headers.location !== undefined) {
        response.destroy();
        reject(new Error(`The server redirects to ${response.headers.location}.`));
      } else resolve(readResponse(url, response));
    })
      .on('error', reject)
      .end(body);
  });
}

function readResponse(url: URL, response: IncomingMessage): FetchResponse {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = response;
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText,
    url: url.href,
    headers: { get: (name) => headers[name]?.toString() ?? null },
    get body() {
      return Readable.toWeb(response) as ReadableStream<Uint8Array<ArrayBuffer>>;
    },
    text: () => text(response),
    json: () => json(response),
    arrayBuffer: () => arrayBuffer(response),
  };
}
