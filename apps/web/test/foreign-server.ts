import { createServer, type IncomingHttpHeaders } from 'node:http';

/** An external web server on another port of this machine, with an empty page at every path. */
export interface ForeignServer {
  port: number;
  /** Paths and headers of its requests. */
  requests: { path: string; headers: IncomingHttpHeaders }[];
  stop(): Promise<void>;
}

export async function startForeignServer(): Promise<ForeignServer> {
  const requests: ForeignServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers });
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>An external page</title>');
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as { port: number }).port,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
