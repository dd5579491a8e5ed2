export interface Rate {
  /** Maximum number of requests at once. */
  burst: number;
  /** Sustained requests per second. */
  perSecond: number;
}

interface Bucket {
  left: number;
  at: number;
}

const maxBuckets = 10_000;

/** Limits the requests of each key (token bucket), so that one agent in a loop cannot block the others. */
export class RateLimit {
  readonly rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.rate = rate;
    this.#now = now;
  }

  /** Takes `count` requests from the bucket. If too few are left, takes none and returns the seconds to wait. */
  take(ownerId: string, count: number): number | undefined {
    const { burst, perSecond } = this.rate;
    const bucket = this.#refilled(ownerId);
    const wanted = Math.min(count, burst);
    if (bucket.left < wanted) return Math.ceil((wanted - bucket.left) / perSecond);
    bucket.left -= wanted;
    return undefined;
  }

  #refilled(ownerId: string): Bucket {
    const { burst, perSecond } = this.rate;
    const at = this.#now();
    const known = this.#buckets.get(ownerId);
    const gained = known ? ((at - known.at) / 1_000) * perSecond : burst;
    const bucket = { left: Math.min(burst, (known?.left ?? 0) + gained), at };
    // Moves this bucket to the end. The first bucket was unused for longest; it is full again and can be dropped.
    this.#buckets.delete(ownerId);
    this.#buckets.set(ownerId, bucket);
    if (this.#buckets.size > maxBuckets) this.#buckets.delete(this.#buckets.keys().next().value as string);
    return bucket;
  }
}
