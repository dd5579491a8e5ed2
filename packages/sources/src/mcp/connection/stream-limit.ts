/**
 * Counts the bytes of the current event of a stream. A stream may be endless, but an event is held in memory until its end.
 */
export class EventSize {
  #bytes = 0;
  #last: number | undefined;

  /** The size of the largest event that the chunk ends or continues. */
  add(chunk: Uint8Array): number {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let largest = 0;
    let from = 0;
    for (let at = nextLine(buffer, 0); at !== -1; at = nextLine(buffer, at + 1)) {
      const before = at === 0 ? this.#last : buffer[at - 1];
      const isEmptyLine = before === newline || (before === carriageReturn && this.#isEmptyLine(buffer, at));
      if (!isEmptyLine) continue;
      largest = Math.max(largest, this.#bytes + at - from);
      this.#bytes = 0;
      from = at + 1;
    }
    this.#bytes += buffer.length - from;
    this.#last = buffer.at(-1) ?? this.#last;
    return Math.max(largest, this.#bytes);
  }

  /** Whether a carriage return before this newline follows another newline. */
  #isEmptyLine(buffer: Buffer, at: number): boolean {
    return at >= 2 && buffer[at - 2] === newline;
  }
}

const newline = 0x0a;
const carriageReturn = 0x0d;

function nextLine(buffer: Buffer, from: number): number {
  return buffer.indexOf(newline, from);
}
