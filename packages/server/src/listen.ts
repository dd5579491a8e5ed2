import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ExecutorError, toErrorBody } from '@executor/protocol';
import { getRequestListener } from '@hono/node-server';
// `getRequestListener` replaces the global Response. The marker of answered requests must be made before that, or they are answered twice.
import '@hono/node-server/utils/response';
import type { Hono } from 'hono';
import { acceptFasterInCrowd, backlog } from './connection/accept-faster.ts';
import type { Connections } from './connection/connections.ts';
import { findPortOwner } from './port-owner.ts';

export interface Listener {
  port: number;
  /** Stops accepting requests, waits for those in flight, and cuts off the rest after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

const limits = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 5_000,
  // How often the timeouts are checked, so that silent connections are closed soon.
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
};

interface ListenOptions {
  host: string;
  port: number;
  connections?: Connections | undefined;
}

export async function listen(app: Hono, { host, port, connections }: ListenOptions): Promise<Listener> {
  const errorHandler = () => errorResponse(400, badTarget);
  const server = createServer(limits, getRequestListener(app.fetch, { errorHandler }));
  connections?.watch(server);
  const closeCopies = acceptFasterInCrowd(server);
  server.on('clientError', rejectMalformed);
  await bind(server, host, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close(graceMs) {
      closeCopies();
      return close(server, graceMs);
    },
  };
}

const badTarget = new ExecutorError(
  'invalidRequest',
  'The target or Host of this request is not a valid URL.',
);

function errorResponse(status: number, error: ExecutorError): Response {
  return Response.json(toErrorBody(error), { status });
}

/** Writes the usual error body to a connection that does not speak valid HTTP. */
function rejectMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, message] = malformed[error.code ?? ''] ?? [
    '400 Bad Request',
    'This is not a valid HTTP request.',
  ];
  const body = JSON.stringify(toErrorBody(new ExecutorError('invalidRequest', message)));
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

const malformed: Record<string, [string, string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are larger than 16384 bytes.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => explain(error, host, port).then(reject, reject));
    server.listen({ host, port, backlog }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

async function explain(error: NodeJS.ErrnoException, host: string, port: number): Promise<ExecutorError> {
  switch (error.code) {
    case 'EADDRINUSE': {
      const owner = await findPortOwner(port);
      const by = owner ? `by process ${owner.pid} (${owner.command})` : 'by another program';
      return new ExecutorError(
        'portInUse',
        `Port ${port} on ${host} is in use ${by}. Stop that program, or choose another port: \`executor up --port ${port + 1}\`.`,
        {
          details: { host, port, ...owner },
          cause: error,
        },
      );
    }
    case 'EACCES':
      return new ExecutorError(
        'invalidConfig',
        `This user may not listen on port ${port}. Ports below 1024 are reserved. Choose another port with --port.`,
        { cause: error },
      );
    default:
      return new ExecutorError(
        'invalidConfig',
        `Cannot listen on ${host}:${port} (${error.code}). Set EXECUTOR_HOST to an address of this machine.`,
        { cause: error },
      );
  }
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Clients keep connections open after a request, and closing the server would wait for them.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}
