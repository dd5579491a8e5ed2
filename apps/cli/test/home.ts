import { mkdtempSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@executor/client';
import {
  type DaemonRecord,
  daemonProcessOf,
  isAlive,
  readDaemonRecord,
  resolveFolders,
} from '@executor/home';
import type { ApiKey } from '@executor/protocol';
import {
  type CommandOptions,
  type Outcome,
  type ProcessOptions,
  RunningCommand,
  RunningProcess,
} from './running-command.ts';

/**
 * A home of its own for the built command line. Commands run in this process, because a process for each command would be most of the
 * cost of the tests. Daemons are always processes. Tests of signals, pipes and exit codes use `startProcess`.
 */
export class TestHome {
  readonly path = mkdtempSync(join(tmpdir(), 'executor-cli-'));
  readonly env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}) {
    const { PATH, HOME } = process.env;
    this.env = { PATH, HOME, NO_COLOR: '1', EXECUTOR_HOME: this.path, EXECUTOR_PORT: '0', ...env };
  }

  run(args: string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Promise<Outcome> {
    return this.start(args, { env, cwd }).ended;
  }

  start(args: string[], { env = {}, ...options }: Partial<CommandOptions> = {}): RunningCommand {
    return new RunningCommand(args, { ...options, env: { ...this.env, ...env } });
  }

  /** Runs commands one after the other. */
  async runSeveral(lines: string[][]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const args of lines) outcomes.push(await this.run(args));
    return outcomes;
  }

  /** Starts the real program in a process of its own. */
  startProcess(args: string[], { env = {}, ...options }: Partial<ProcessOptions> = {}): RunningProcess {
    return new RunningProcess(args, { ...options, env: { ...this.env, ...env } });
  }

  /** Runs a command that must succeed and returns its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was printed
  async json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    if (code !== 0) throw new Error(`executor ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** The record of the running daemon. */
  get daemon(): DaemonRecord {
    const daemon = readDaemonRecord(resolveFolders(this.env));
    if (!daemon) throw new Error('No daemon is running');
    return daemon;
  }

  /** A client for the daemon, as the owner of the home. Tests use it for what they prepare and look up. */
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

  /** Kills the daemon, as a crash would, and waits until its process is gone. */
  async killDaemon(): Promise<void> {
    const daemon = daemonProcessOf(resolveFolders(this.env));
    if (daemon === undefined) return;
    process.kill(daemon.pid, 'SIGKILL');
    while (isAlive(daemon)) await sleep(10);
  }

  /** Killing the daemon is quicker than asking it to stop. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.killDaemon();
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 });
  }
}
