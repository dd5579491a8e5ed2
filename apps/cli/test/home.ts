import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@executor/client';
import { type DaemonRecord, daemonProcessOf, readDaemonRecord, resolveFolders } from '@executor/home';
import type { ApiKey } from '@executor/protocol';

export const program = fileURLToPath(new URL('../bin/executor.js', import.meta.url));
const severalCommands = fileURLToPath(new URL('./several-commands.mjs', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A home of its own for the built command line: what a person types goes in, what they see comes out. */
export class TestHome {
  readonly path = mkdtempSync(join(tmpdir(), 'executor-cli-'));
  readonly env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}) {
    const { PATH, HOME } = process.env;
    this.env = { PATH, HOME, NO_COLOR: '1', EXECUTOR_HOME: this.path, EXECUTOR_PORT: '0', ...env };
  }

  run(args: string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Promise<Outcome> {
    return this.#start([program, ...args], env, cwd);
  }

  /** Runs command lines one after the other in one process: a table of mistakes does not need a process for each. */
  async runSeveral(lines: string[][]): Promise<Outcome[]> {
    const { stdout, stderr } = await this.#start([severalCommands, JSON.stringify(lines)]);
    if (stdout === '') throw new Error(`The commands did not run to their end: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Runs a command that must succeed and answers with its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was printed
  async json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    if (code !== 0) throw new Error(`executor ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** The daemon that runs. */
  get daemon(): DaemonRecord {
    const daemon = readDaemonRecord(resolveFolders(this.env));
    if (!daemon) throw new Error('No daemon runs');
    return daemon;
  }

  /** What a test prepares or looks up it asks of the daemon, as the person whose home it is: a command would be a process for each. */
  get client(): Client {
    const token = readFileSync(join(this.path, 'data', 'local-token'), 'utf8').trim();
    return createClient({ url: this.daemon.url, token });
  }

  /** The keys that were not revoked. */
  async keys(): Promise<ApiKey[]> {
    const { items } = await this.client.apiKeys.list({ limit: 200 });
    return items.filter(({ revokedAt }) => revokedAt === undefined);
  }

  read(...path: string[]): Promise<string> {
    return readFile(join(this.path, ...path), 'utf8');
  }

  /** Kills its daemon, which is quicker than asking it to end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const daemon = daemonProcessOf(resolveFolders(this.env));
    if (daemon) process.kill(daemon.pid, 'SIGKILL');
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  #start(args: string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Promise<Outcome> {
    const child = spawn(process.execPath, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  }
}
