import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A program that has taken the port of Executor. It records everything that it receives. */
export interface ImpostorServer {
  requests: CapturedRequest[];
  stop(): Promise<void>;
}

export interface CapturedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

export async function startImpostor(
  url: string,
  answer: (request: CapturedRequest) => Answer,
): Promise<ImpostorServer> {
  const requests: CapturedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    };
    requests.push(request);
    const { status, headers = {}, body } = answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  server.listen(Number(new URL(url).port), '127.0.0.1');
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  return {
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends captured requests as they were received, and returns the statuses. */
export function replay(url: string, requests: CapturedRequest[]): Promise<number[]> {
  return Promise.all(
    requests.map(async ({ method, path, headers, body }) => {
      const { host: _, connection: __, 'content-length': ___, ...rest } = headers;
      const answer = await fetch(url + path, {
        method,
        headers: Object.entries(rest).map(([name, value]) => [name, String(value)] as [string, string]),
        ...(body !== '' && { body }),
      });
      await answer.body?.cancel();
      return answer.status;
    }),
  );
}
