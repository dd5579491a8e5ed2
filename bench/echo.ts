import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

const program = `const { readSync, writeSync } = require('node:fs');
const bytes = Buffer.alloc(65536);
for (let length; (length = readSync(3, bytes)) > 0; ) writeSync(3, bytes, 0, length);`;
const message = Buffer.alloc(60);

/**
 * Starts a process that echoes every message. It measures the current cost of any call to another process on this
 * machine.
 */
export function startEcho(): { ask(): Promise<void>; close(): void } {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const socket = child.stdio[3] as Socket;
  let answered: () => void = () => {};
  socket.on('data', () => answered());
  return {
    ask: () =>
      new Promise((done) => {
        answered = done;
        socket.write(message);
      }),
    close: () => void child.kill('SIGKILL'),
  };
}
