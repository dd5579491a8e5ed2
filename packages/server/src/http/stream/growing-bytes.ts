/** Maximum allocation based on `content-length` alone, so that a false header costs no memory. */
const maxInAdvance = 1024 * 1024;

/** A buffer that grows as chunks arrive. */
export class GrowingBytes {
  #buffer: Uint8Array<ArrayBuffer>;
  readonly #expected: number;
  #length = 0;

  constructor(expected: number) {
    this.#expected = expected;
    this.#buffer = new Uint8Array(Math.min(expected, maxInAdvance));
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#buffer.set(chunk, this.#length);
    this.#length = needed;
  }

  whole(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const size = needed <= this.#expected ? this.#expected : Math.max(needed, 2 * this.#buffer.length);
    const larger = new Uint8Array(size);
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
