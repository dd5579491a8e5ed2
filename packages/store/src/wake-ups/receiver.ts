interface ReceiverOptions {
  take(limit: number): Promise<string[]>;
  wake(executionIds: string[]): Promise<void>;
  /** How long a wake-up may lie there of which nothing was heard. */
  pollMs: number;
}

/** Leaves a server that starts alone for a moment; runs that became runnable while it was away are swept up anyway. */
const firstMs = 1_000;
const batch = 500;

/** Looks for wake-ups, now and then and when it is told to. What fails is tried again the next time. */
export class Receiver {
  readonly #options: ReceiverOptions;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#lookIn(firstMs);
  }

  look(): void {
    this.#again = true;
    if (this.#looking || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#looking = this.#lookAll().finally(() => {
      this.#looking = undefined;
      this.#lookIn(this.#options.pollMs);
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #lookAll(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        const ids = await this.#options.take(batch);
        if (ids.length > 0) await this.#options.wake(ids);
        this.#again ||= ids.length === batch;
      } catch {
        // The database has told its own troubles; runs that were not woken are swept up.
      }
    }
  }

  #lookIn(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.look(), milliseconds);
    this.#timer.unref();
  }
}
