import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

export interface Aims {
  /** A file outside of the lane's folder. */
  secret: string;
  /** The port of a server on this machine. */
  port: number;
  /** The process that started the lane. */
  server: number;
}

/** Returns the names of the attempts that succeeded. A lane must not be able to do any of them. */
export async function tryToEscape({ secret, port, server }: Aims): Promise<string[]> {
  const attempts: Record<string, () => unknown> = {
    'read a file': () => readFileSync(secret),
    'write a file': () => writeFileSync(`${secret}.written`, 'x'),
    'write to memory': () => writeFileSync('/dev/shm/x', 'x'),
    'see a process of the machine': () => readFileSync(`/proc/${server}/cmdline`),
    'signal a process of the machine': () => process.kill(server, 0),
    shell: () => started('/bin/sh', ['-c', 'true']),
    'process of Node': () => started(process.execPath, ['-e', '0']),
    thread: () => settled((done) => new Worker('0', { eval: true }).once('exit', done)),
    socket: () =>
      settled((done, fail) => connect(port, '127.0.0.1').once('connect', done).once('error', fail)),
  };
  const worked: string[] = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      worked.push(name);
    } catch {
      // The attempt failed, as it should.
    }
  }
  return worked;
}

function started(command: string, args: string[]): void {
  const { error } = spawnSync(command, args);
  if (error) throw error;
}

function settled(begin: (done: (value?: unknown) => void, fail: (error: unknown) => void) => void) {
  return new Promise((resolve, reject) => {
    setTimeout(reject, 5_000).unref();
    begin(resolve, reject);
  });
}
