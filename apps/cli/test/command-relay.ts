import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Environment } from '../src/environment.ts';
import { runCommandLine } from './built-program.ts';

const relayProgram = fileURLToPath(new URL('./relay.py', import.meta.url));

/**
 * Runs the commands of shell scripts in this process. In the scripts, `executor` is a small program (relay.py) that relays arguments,
 * working folder, variables and streams. This saves only the start of Node: the real code of the command runs.
 */
export class CommandRelay {
  readonly #path: string;
  readonly #server: Server;

  constructor(path: string) {
    this.#path = path;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket));
  }

  async listen(): Promise<this> {
    if (spawnSync('python3', ['-c', '']).status !== 0) throw new Error('These tests need python3 in PATH.');
    this.#server.listen(this.#path);
    await once(this.#server, 'listening');
    return this;
  }

  /** A shell script that scripts call as `executor`. */
  get script(): string {
    return `#!/bin/sh\nexec python3 -IS "${relayProgram}" "${this.#path}" "$@"\n`;
  }

  close(): void {
    this.#server.close();
  }

  async #serve(socket: Socket): Promise<void> {
    const { args, cwd, env } = await readCommand(socket);
    const environment = new Environment({
      stdin: socket,
      stdout: output(socket, 1),
      stderr: output(socket, 2),
      variables: env,
      cwd,
      signals: new EventEmitter(),
    });
    const code = await runCommandLine(args, environment);
    socket.end(frame(0, code));
  }
}

interface RelayedCommand {
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** The first line is the command. All that follows is its standard input. */
async function readCommand(socket: Socket): Promise<RelayedCommand> {
  let received = Buffer.alloc(0);
  while (!received.includes('\n')) {
    await once(socket, 'readable');
    received = Buffer.concat([received, socket.read() ?? Buffer.alloc(0)]);
  }
  const end = received.indexOf('\n');
  if (end + 1 < received.length) socket.unshift(received.subarray(end + 1));
  return JSON.parse(received.toString('utf8', 0, end));
}

function output(socket: Socket, descriptor: 1 | 2): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      socket.write(Buffer.concat([frame(descriptor, chunk.length), chunk]));
      done();
    },
  });
}

/** A descriptor with the length of the bytes that follow, or 0 with the exit code. */
function frame(kind: 0 | 1 | 2, value: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(kind);
  head.writeUInt32BE(value, 1);
  return head;
}
