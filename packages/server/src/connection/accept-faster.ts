import { type SendHandle, spawn } from 'node:child_process';
import type { Server } from 'node:http';
import { createServer, type Socket, type Server as TcpServer } from 'node:net';

/**
 * Connections that the system accepts before this process does. If they are too many, the system drops packets, and the clients repeat them
 * only after seconds. So this is larger than the number of connections that one caller opens at once. `somaxconn` may lower it.
 */
export const backlog = 4_096;
/** A server with so many open connections may get many more at once. */
const crowd = 64;
export const copies = 15;

/** Sends a descriptor back a number of times. Each message carries a new copy of it. */
const helper = `process.on('message', (count, handle) => {
  for (let number = 0; number < count; number += 1) process.send(number, handle);
  process.disconnect();
})`;

/**
 * Lets a crowded server accept several connections in each turn of its event loop. Node accepts one in each turn. Behind a thousand that a
 * program opens at once, a person would wait for a thousand turns, which takes many seconds on a busy machine.
 *
 * Every copy of the listening descriptor accepts one more connection. A process can get a copy only from another process, so a helper sends
 * it back and ends. Without the copies the server works as well, only slower. Returns a function that closes them.
 */
export function acceptFasterInCrowd(server: Server): () => void {
  const listening = new Set<TcpServer>();
  let open = 0;
  let isClosed = false;
  const close = () => {
    isClosed = true;
    for (const copy of listening) copy.close();
  };
  const add = (handle: SendHandle | undefined) => {
    // An HTTP server sets the same options for its connections.
    const copy = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    );
    copy.on('error', () => listening.delete(copy));
    listening.add(copy);
    copy.listen(handle, backlog, () => isClosed && copy.close());
  };
  const count = (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open < crowd) return;
    server.off('connection', count);
    copyDescriptor(server, add);
  };
  if (process.platform !== 'win32') server.on('connection', count);
  return close;
}

function copyDescriptor(server: Server, onCopy: (handle: SendHandle | undefined) => void): void {
  const { _handle: handle } = server as unknown as { _handle: SendHandle | undefined };
  const child = spawn(process.execPath, ['-e', helper], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('error', () => {});
  child.on('message', (_, copy) => onCopy(copy));
  child.send(copies, handle, () => {});
  child.unref();
  child.channel?.unref();
}
