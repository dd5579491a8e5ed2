import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@executor/client';
import { ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { reconnect } from '../server/connect.ts';
import { serverAwayMs } from '../server-away.ts';

const pauseMs = 200;

/**
 * A connection to the server that survives restarts. A run continues without its watchers, so a watcher that lost the server looks for it
 * again, perhaps at another port. It never starts the daemon, because the user may have stopped it on purpose.
 */
export class SteadyServer {
  client: Client;
  readonly #environment: Environment;
  #move = new AbortController();
  readonly #onAway: () => void;
  /** How many callers wait for it. */
  #waiting = 0;

  constructor(environment: Environment, client: Client, onAway: () => void = () => undefined) {
    this.#environment = environment;
    this.client = client;
    this.#onAway = onAway;
  }

  /** Aborted when the server was found again. Streams of the old connection are dead then. */
  get moved(): AbortSignal {
    return this.#move.signal;
  }

  /** Makes a request that may be repeated, as often as needed. An earlier attempt may have succeeded. */
  async request<Answer>(
    make: (client: Client, attempt: { repeated: boolean }) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    for (let repeated = false; ; repeated = true) {
      try {
        return await make(this.client, { repeated });
      } catch (error) {
        if (signal?.aborted || !isAway(error)) throw error;
        await this.waitForServer(signal);
      }
    }
  }

  /** Waits until a server answers again. */
  async waitForServer(signal?: AbortSignal): Promise<void> {
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
      `The server has been away for ${serverAwayMs / 1_000} seconds. The run continues when it is back.`,
    );
  }
}

/** Whether an error means that the server is away or busy, and says nothing about the request. */
export function isAway(error: unknown): boolean {
  return error instanceof ExecutorError && awayCodes.has(error.code);
}

const awayCodes = new Set([
  'noServer',
  'databaseUnavailable',
  'timeout',
  'tooManyStreams',
  'tooManyWaits',
  'tooManyRequests',
]);
