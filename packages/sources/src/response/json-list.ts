/** The text of a JSON list that grows by many small items. */
export class JsonList {
  readonly #parts: string[] = [];
  #items: string[] = [];
  #chars = 0;

  /** Adds an item, which is JSON text. */
  add(item: string): void {
    this.#items.push(item);
    this.#chars += item.length;
    if (this.#chars > partChars) this.#join();
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0 && this.#items.length === 0;
  }

  toString(): string {
    this.#join();
    return `[${this.#parts.join(',')}]`;
  }

  #join(): void {
    if (this.#items.length > 0) this.#parts.push(this.#items.join(','));
    this.#items = [];
    this.#chars = 0;
  }
}

/** A list of millions of short texts takes more memory than their characters. */
const partChars = 64 * 1024;
