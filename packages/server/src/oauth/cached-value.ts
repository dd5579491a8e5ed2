export interface Lifetimes {
  /** How long a value is used without loading it again. */
  freshMs: number;
  /** How long an old value is used if loading fails. */
  keptMs: number;
  /** Pause before the next attempt after loading failed. */
  pauseMs: number;
}

/** A remote value, loaded when it is first needed. Concurrent callers share one request, and failures are not retried at once. */
export class CachedValue<Value> {
  readonly #load: () => Promise<Value>;
  readonly #lifetimes: Lifetimes;
  readonly #now: () => number;
  #known: { value: Value; at: number } | undefined;
  #failed: { error: unknown; at: number } | undefined;
  #loading: Promise<Value> | undefined;

  constructor(load: () => Promise<Value>, lifetimes: Lifetimes, now: () => number = () => performance.now()) {
    this.#load = load;
    this.#lifetimes = lifetimes;
    this.#now = now;
  }

  /** A value not older than `maxAgeMs`, unless a newer one cannot be loaded. */
  async get(maxAgeMs = this.#lifetimes.freshMs): Promise<Value> {
    if (this.#known && this.#now() - this.#known.at < maxAgeMs) return this.#known.value;
    const { pauseMs } = this.#lifetimes;
    if (this.#failed && this.#now() - this.#failed.at < pauseMs) return this.#fallback(this.#failed.error);
    this.#loading ??= this.#reload();
    return this.#loading;
  }

  async #reload(): Promise<Value> {
    try {
      const value = await this.#load();
      this.#known = { value, at: this.#now() };
      this.#failed = undefined;
      return value;
    } catch (error) {
      this.#failed = { error, at: this.#now() };
      return this.#fallback(error);
    } finally {
      this.#loading = undefined;
    }
  }

  #fallback(error: unknown): Value {
    if (this.#known && this.#now() - this.#known.at < this.#lifetimes.keptMs) return this.#known.value;
    throw error;
  }
}
