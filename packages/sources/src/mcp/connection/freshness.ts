import type { Clock } from '@executor/engine';

/** A server that calls its lists stale at once must not keep Executor busy. */
const minTtlMs = 60_000;
/** After this time without a connection, notices of changes may have been missed. */
const missedMs = 60_000;

/** When the lists of sources were read, and how long they are valid. */
export class Freshness {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #sources = new Map<string, { at: number; ttlMs: number | undefined }>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  loaded(sourceId: string, ttlMs: number | undefined): void {
    this.#sources.set(sourceId, { at: this.#clock.elapsed(), ttlMs });
  }

  /** Whether changes may have been missed since the lists were read. */
  mayHaveChanged(sourceId: string): boolean {
    const known = this.#sources.get(sourceId);
    if (known && this.#clock.elapsed() - known.at < missedMs) return false;
    this.#restart(sourceId);
    return true;
  }

  /** Whether the server's own limit has passed. It is reported once per limit. */
  isExpired(sourceId: string): boolean {
    const known = this.#sources.get(sourceId);
    if (known?.ttlMs === undefined) return false;
    if (this.#clock.elapsed() - known.at < Math.max(minTtlMs, known.ttlMs)) return false;
    this.#restart(sourceId);
    return true;
  }

  /** The lists are about to be read again. */
  #restart(sourceId: string): void {
    this.#sources.set(sourceId, { at: this.#clock.elapsed(), ttlMs: this.#sources.get(sourceId)?.ttlMs });
  }
}
