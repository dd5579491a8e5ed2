import type { Server } from 'node:http';
import { ExecutorError } from '@executor/protocol';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { findPortOwner } from './port-owner.ts';

export interface Listener {
  port: number;
  /** Stops taking requests, lets those under way finish, and after `graceMs` cuts off what is left. */
  close(graceMs: number): Promise<void>;
}

export async function listen(app: Hono, host: string, port: number): Promise<Listener> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 5_000,
      maxHeaderSize: 16 * 1024,
    },
  }) as Server;
  server.maxConnections = 1_000;
  await bind(server, host, port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: (graceMs) => close(server, graceMs),
  };
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => explain(error, host, port).then(reject, reject));
    server.listen({ host, port }, () => {
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
        `Port ${port} on ${host} is taken ${by}. Stop that program, or choose another port: \`executor up --port ${port + 1}\`.`,
        {
          details: { host, port, ...owner },
          cause: error,
        },
      );
    }
    case 'EACCES':
      return new ExecutorError(
        'invalidConfig',
        `This user may not listen on port ${port}; ports below 1024 are reserved. Choose another one with --port.`,
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
  // A connection whose request has just finished is kept open by the client, and would be waited for.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
}
