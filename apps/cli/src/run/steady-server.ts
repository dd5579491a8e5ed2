import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@executor/client';
import { ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { reconnect } from '../server/connect.ts';
import { serverAwayMs } from '../server-away.ts';

const pauseMs = 200;

/**
 * The server, over restarts: a run goes on without its watchers, so a watcher that lost the server looks for it again, perhaps at
 * another port. It never starts the daemon: whoever stopped it had a reason.
 */
export class SteadyServer {
  client: Client;
  readonly #environment: Environment;
  #move = new AbortController();
  readonly #onAway: () => void;
  /** How many wait for it. */
  #waiting = 0;

  constructor(environment: Environment, client: Client, onAway: () => void = () => undefined) {
    this.#environment = environment;
    this.client = client;
    this.#onAway = onAway;
  }

  /** Aborted when the server was found again: whoever listens to the old one listens to nobody. */
  get moved(): AbortSignal {
    return this.#move.signal;
  }

  /** Makes a request that may be repeated, as often as it takes. What an earlier one asked for may have happened. */
  async request<Answer>(
    make: (client: Client, attempt: { repeated: boolean }) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    for (let repeated = false; ; repeated = true) {
      try {
        return await make(this.client, { repeated });
      } catch (error) {
        if (signal?.aborted || !isAway(error)) throw error;
        await this.comeBack(signal);
      }
    }
  }

  /** Waits until a server answers again. */
  async comeBack(signal?: AbortSignal): Promise<void> {
    const deadline = Date.now() + serverAwayMs;
    if (this.#waiting++ === 0) this.#onAway();
    try {
      while (Date.now() < deadline) {
        await sleep(pauseMs, undefined, signal && { signal });
        const client = await reconnect(this.#environment);
        if (client === undefined) continue;
        this.client = client;
        this.#move.abort();
        this.#move = new AbortController();
        return;
      }
    } finally {
      this.#waiting -= 1;
    }
    throw new ExecutorError(
      'noServer',
      `The server has been away for ${serverAwayMs / 1_000} seconds. The run goes on when it is back.`,
    );
  }
}

/** Whether a failure tells of the server's absence, or of how busy it is, and nothing of the request. */
export function isAway(error: unknown): boolean {
  return error instanceof ExecutorError && awayCodes.has(error.code);
}

const awayCodes = new Set(['noServer', 'databaseUnavailable', 'timeout', 'tooManyStreams', 'tooManyWaits']);
