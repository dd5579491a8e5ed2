export interface Rate {
  /** How many at once. */
  burst: number;
  /** How many a second, for as long as one likes. */
  perSecond: number;
}

interface Bucket {
  left: number;
  at: number;
}

const maxBuckets = 10_000;

/** So many requests for each key, and no more: one agent in a loop must not keep the others from working. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Takes `count`; where that is too much it takes nothing, and answers after how many seconds it would not be. */
  take(who: string, count: number): number | undefined {
    const { burst, perSecond } = this.#rate;
    const bucket = this.#filled(who);
    const wanted = Math.min(count, burst);
    if (bucket.left < wanted) return Math.ceil((wanted - bucket.left) / perSecond);
    bucket.left -= wanted;
    return undefined;
  }

  #filled(who: string): Bucket {
    const { burst, perSecond } = this.#rate;
    const at = this.#now();
    const known = this.#buckets.get(who);
    const gained = known ? ((at - known.at) / 1_000) * perSecond : burst;
    const bucket = { left: Math.min(burst, (known?.left ?? 0) + gained), at };
    // The one that was used last goes to the end, so that the first is the one to forget: it is full again by then.
    this.#buckets.delete(who);
    this.#buckets.set(who, bucket);
    if (this.#buckets.size > maxBuckets) this.#buckets.delete(this.#buckets.keys().next().value as string);
    return bucket;
  }
}
