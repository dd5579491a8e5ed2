interface ReceiverOptions {
  take(limit: number): Promise<string[]>;
  wake(executionIds: string[]): Promise<void>;
  /** Polling interval for wake-ups whose notice was lost. */
  pollMs: number;
}

/** Delay after the start of a server. The sweep finds runs that became runnable meanwhile. */
const firstMs = 1_000;
const batch = 500;

/** Fetches wake-ups periodically and on notice. A failed fetch is retried the next time. */
export class Receiver {
  readonly #options: ReceiverOptions;
  #timer: NodeJS.Timeout | undefined;
  #fetching: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#fetchIn(firstMs);
  }

  fetch(): void {
    this.#again = true;
    if (this.#fetching || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#fetching = this.#fetchAll().finally(() => {
      this.#fetching = undefined;
      this.#fetchIn(this.#options.pollMs);
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#fetching;
  }

  async #fetchAll(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        const ids = await this.#options.take(batch);
        if (ids.length > 0) await this.#options.wake(ids);
        this.#again ||= ids.length === batch;
      } catch {
        // The database layer has logged the error; the sweep finds runs that were not woken.
      }
    }
  }

  #fetchIn(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.fetch(), milliseconds);
    this.#timer.unref();
  }
}
