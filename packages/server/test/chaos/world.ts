import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@executor/client';
import { readLocalToken, resolveFolders } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { Ledger } from './ledger.ts';
import type { RoleSettings } from './role.program.ts';
import { RoleProcess } from './role-process.ts';

type WorldOptions = Partial<
  Pick<RoleSettings, 'databaseUrl' | 'limits' | 'timeoutMs' | 'leaseMs' | 'evictAfterMs'>
>;

/** A ledger and the processes that use it: a daemon, or on Postgres a server and workers. */
export class World {
  readonly ledger: Ledger;
  readonly home = mkdtempSync(join(tmpdir(), 'executor-chaos-'));
  readonly workers: RoleProcess[] = [];
  readonly #options: WorldOptions;
  #server: RoleProcess | undefined;
  #url = '';

  private constructor(ledger: Ledger, options: WorldOptions) {
    this.ledger = ledger;
    this.#options = options;
  }

  static async start(options: WorldOptions = {}, workers = 0): Promise<World> {
    const world = new World(await Ledger.start(), options);
    try {
      await world.startServer();
      await Promise.all(Array.from({ length: workers }, () => world.addWorker()));
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  get server(): RoleProcess {
    if (!this.#server) throw new Error('There is no server.');
    return this.#server;
  }

  get url(): string {
    return this.#url;
  }

  get localToken(): string {
    return readLocalToken(resolveFolders({ EXECUTOR_HOME: this.home })) ?? '';
  }

  /** A client of the current server. */
  get client(): Client {
    return createClient({ url: this.#url, token: this.localToken, timeoutMs: 20_000 });
  }

  spawn(role: RoleSettings['role']): RoleProcess {
    const {
      databaseUrl,
      limits = {},
      timeoutMs = 6_000,
      leaseMs = 1_000,
      evictAfterMs = 300,
    } = this.#options;
    const ledgerUrl = this.ledger.url;
    const times = { timeoutMs, leaseMs, evictAfterMs };
    return new RoleProcess({
      role,
      home: this.home,
      ledgerUrl,
      limits,
      ...(databaseUrl && { databaseUrl }),
      ...times,
    });
  }

  async startServer(): Promise<void> {
    this.#server = this.spawn(this.#options.databaseUrl ? 'server' : 'all');
    this.#url = String((await this.#server.waitForLog('listening')).url);
  }

  async addWorker(index = this.workers.length): Promise<RoleProcess> {
    const worker = this.spawn('worker');
    this.workers[index] = worker;
    await worker.waitForLog('working');
    return worker;
  }

  /** Repeats a request while the server is down or without its database. */
  async request<Response>(
    send: (client: Client) => Promise<Response>,
    deadline = Date.now() + 120_000,
  ): Promise<Response> {
    for (;;) {
      try {
        return await send(this.client);
      } catch (error) {
        const isAway =
          error instanceof ExecutorError &&
          ['noServer', 'timeout', 'databaseUnavailable'].includes(error.code);
        if (!isAway || Date.now() > deadline) throw error;
        await sleep(50);
      }
    }
  }

  tails(): string {
    return [this.#server, ...this.workers].map((role) => role?.tail() ?? '').join('\n---\n');
  }

  async close(): Promise<void> {
    await Promise.all([this.#server, ...this.workers].map((role) => role?.kill()));
    await this.ledger.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}
