export interface Lifetimes {
  /** How long a value is used without asking again. */
  freshMs: number;
  /** How long it goes on being used where asking again fails. */
  keptMs: number;
  /** How long nobody asks again after that failed. */
  pauseMs: number;
}

/** A value from elsewhere: asked for when it is needed, once for all who need it, and not so often that its owner would mind. */
export class Remembered<Value> {
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

  /** Not older than `maxAgeMs`, unless there is no newer one to be had. */
  async get(maxAgeMs = this.#lifetimes.freshMs): Promise<Value> {
    if (this.#known && this.#now() - this.#known.at < maxAgeMs) return this.#known.value;
    const { pauseMs } = this.#lifetimes;
    if (this.#failed && this.#now() - this.#failed.at < pauseMs) return this.#instead(this.#failed.error);
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
      return this.#instead(error);
    } finally {
      this.#loading = undefined;
    }
  }

  #instead(error: unknown): Value {
    if (this.#known && this.#now() - this.#known.at < this.#lifetimes.keptMs) return this.#known.value;
    throw error;
  }
}
