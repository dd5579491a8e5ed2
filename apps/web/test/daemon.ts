import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Client, createClient } from '@executor/client';

const program = fileURLToPath(new URL('../../cli/bin/executor.js', import.meta.url));

/** The built product, run as its users run it, with a home and a port of its own. */
export interface Daemon {
  url: string;
  /** The process that runs now. */
  pid(): Promise<number>;
  /** A client with the local token, to see from outside of the browser what is so. */
  client: Client;
  /** All that a page could have changed. */
  state(): Promise<unknown>;
  executor(...args: string[]): Promise<string>;
  /** A fresh one-time link. */
  signInLink(): Promise<string>;
  logs(): Promise<string>;
  stop(): Promise<void>;
}

export async function startDaemon(): Promise<Daemon> {
  const home = await mkdtemp(join(tmpdir(), 'executor-web-'));
  const port = await freePort();
  const env = { ...process.env, EXECUTOR_HOME: home, EXECUTOR_PORT: String(port), EXECUTOR_DATABASE_URL: '' };
  const executor = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return stdout.trim();
  };
  await executor('up');
  const url = `http://127.0.0.1:${port}`;
  const token = (await readFile(join(home, 'data', 'local-token'), 'utf8')).trim();
  const client = createClient({ url, token });
  const pid = async () => JSON.parse(await readFile(join(home, 'run', 'daemon.json'), 'utf8')).pid;
  return {
    url,
    pid,
    client,
    state: () =>
      Promise.all([client.apiKeys.list(), client.audit.list({ limit: 200 }), client.settings.get()]),
    executor,
    signInLink: async () => (await client.sessions.createLink()).url,
    logs: () => readAll(join(home, 'logs')),
    /** Kills it, which is quicker than asking it to end. */
    async stop() {
      process.kill(await pid(), 'SIGKILL');
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function readAll(folder: string): Promise<string> {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

/** Not 0: a daemon that is stopped and started again must come back where the page looks for it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
