/** A chunk is 64 KB of JSON, which takes about 300 KB of memory. */
const maxChunks = 64;

/** Caches the most recently used chunks of all sources. */
export class ChunkCache {
  readonly #opened = new Map<Uint8Array, unknown[]>();

  has(chunk: Uint8Array): boolean {
    return this.#opened.has(chunk);
  }

  open(chunk: Uint8Array, inflate: () => unknown[]): unknown[] {
    const entries = this.#opened.get(chunk) ?? inflate();
    // A map keeps the order of insertion, so the oldest entry is the first.
    this.#opened.delete(chunk);
    this.#opened.set(chunk, entries);
    for (const oldest of this.#opened.keys()) {
      if (this.#opened.size <= maxChunks) break;
      this.#opened.delete(oldest);
    }
    return entries;
  }
}
