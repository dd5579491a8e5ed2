import { setTimeout as sleep } from 'node:timers/promises';
import { dropAgentKey, type Folders, keepAgentKey, readAgentKey, readDaemonRecord } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { ensureDaemon } from '../daemon/ensure-daemon.ts';
import type { Environment } from '../environment.ts';
import { remoteUrl, tokenFor } from '../server/access.ts';
import { createClient } from '../server/client.ts';

/** The server's address and the key for requests. */
export interface Access {
  url: string;
  key: string;
}

/** How long to wait for a daemon that stopped before starting one, because the user may be restarting it elsewhere. */
const restartMs = 5_000;

/** The server for an agent on this machine. The agent has a key of its own, which is created if none exists. */
export class AgentServer {
  readonly #environment: Environment;
  readonly #folders: Folders;
  #access: Promise<Access> | undefined;
  #current: Access | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#folders = environment.folders;
  }

  /** Shared by all callers until one reports that it is wrong. */
  access(): Promise<Access> {
    this.#access ??= this.#keep(this.#find());
    return this.#access;
  }

  /** Reports that the server did not answer, so that it is looked for again. */
  lost(access: Access): void {
    if (this.#current === access) this.#access = this.#keep(this.#findAgain());
  }

  /** Reports that the server rejected the key, so that another one is created. Returns whether that can help. */
  refused(access: Access): boolean {
    if (this.#environment.variables.EXECUTOR_TOKEN || remoteUrl(this.#environment) !== undefined)
      return false;
    if (this.#current !== access) return true;
    dropAgentKey(this.#folders, access.key);
    this.#access = this.#keep(this.#find());
    return true;
  }

  async #keep(finding: Promise<Access>): Promise<Access> {
    this.#current = undefined;
    try {
      this.#current = await finding;
      return this.#current;
    } catch (error) {
      this.#access = undefined;
      throw error;
    }
  }

  async #findAgain(): Promise<Access> {
    const deadline = Date.now() + restartMs;
    while (remoteUrl(this.#environment) === undefined && Date.now() < deadline) {
      if (readDaemonRecord(this.#folders) !== undefined) break;
      await sleep(100);
    }
    return this.#find();
  }

  async #find(): Promise<Access> {
    const remote = remoteUrl(this.#environment);
    const url = remote ?? (await ensureDaemon(this.#environment, {})).record.url;
    const token = tokenFor(this.#environment, url);
    if (remote !== undefined || this.#environment.variables.EXECUTOR_TOKEN) return { url, key: token };
    return { url, key: readAgentKey(this.#folders) ?? (await this.#makeKey(url, token)) };
  }

  async #makeKey(url: string, token: string): Promise<string> {
    const client = createClient({ url, token, timeoutMs: 10_000 });
    const created = await client.apiKeys
      .create({ name: 'executor mcp', kind: 'agent' })
      .catch(unlessPresence);
    // If creating a key needs a PIN, the local token is used, which also acts as an agent at /mcp.
    if (created === undefined) return token;
    const kept = keepAgentKey(this.#folders, created.key);
    if (kept !== created.key) await client.apiKeys.remove({ id: created.id });
    return kept;
  }
}

function unlessPresence(error: unknown): undefined {
  if (!(error instanceof ExecutorError) || error.code !== 'presenceRequired') throw error;
}
