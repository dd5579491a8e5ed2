/** How many opened chunks are kept: of 64 KB of JSON each, which is some 300 KB in memory. */
const maxChunks = 64;

/** The chunks of all sources that were opened last. */
export class ChunkCache {
  readonly #opened = new Map<Uint8Array, unknown[]>();

  open(chunk: Uint8Array, inflate: () => unknown[]): unknown[] {
    const entries = this.#opened.get(chunk) ?? inflate();
    // The one that was used last comes last.
    this.#opened.delete(chunk);
    this.#opened.set(chunk, entries);
    for (const oldest of this.#opened.keys()) {
      if (this.#opened.size <= maxChunks) break;
      this.#opened.delete(oldest);
    }
    return entries;
  }
}
