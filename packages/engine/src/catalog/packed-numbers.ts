import { deflateRawSync, inflateRawSync } from 'node:zlib';

/*
 * Numbers from 0 to 2^32 - 1 as variable-length integers: seven bits per byte, the lowest first, and a bit that says
 * that more bytes follow. The bytes are deflated in pieces.
 */

const pieceBytes = 128 * 1024;
const maxNumberBytes = 5;

export class NumberPacker {
  readonly #done: Uint8Array[] = [];
  #bytes = new Uint8Array(1 << 10);
  #length = 0;

  push(number: number): void {
    if (this.#length + maxNumberBytes > this.#bytes.length) this.#makeRoom();
    let left = number;
    while (left > 127) {
      this.#bytes[this.#length++] = (left & 127) | 128;
      left >>>= 7;
    }
    this.#bytes[this.#length++] = left;
  }

  /** Writes the count, then each number. */
  pushList(numbers: readonly number[], count = numbers.length): void {
    this.push(count);
    for (let position = 0; position < count; position++) this.push(numbers[position] as number);
  }

  finish(): Uint8Array[] {
    if (this.#length > 0) this.#close();
    return this.#done;
  }

  #makeRoom(): void {
    if (this.#bytes.length >= pieceBytes) {
      this.#close();
      return;
    }
    const bytes = new Uint8Array(this.#bytes.length * 2);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #close(): void {
    this.#done.push(deflateRawSync(this.#bytes.subarray(0, this.#length)));
    this.#length = 0;
  }
}

/** Reads packed numbers in their order. */
export class NumberReader {
  readonly numbers: Uint32Array;
  /** The position of the next number. */
  position = 0;

  constructor(pieces: readonly Uint8Array[]) {
    const opened = pieces.map((piece) => inflateRawSync(piece));
    const maxCount = opened.reduce((bytes, { length }) => bytes + length, 0);
    const numbers = new Uint32Array(maxCount);
    let count = 0;
    for (const bytes of opened) count = unpack(bytes, numbers, count);
    this.numbers = numbers.subarray(0, count);
  }

  get isAtEnd(): boolean {
    return this.position >= this.numbers.length;
  }

  next(): number {
    if (this.isAtEnd) throw new RangeError('The pack has fewer numbers than it says.');
    return this.numbers[this.position++] as number;
  }

  /** The range of a list's numbers. */
  list(): NumberRange {
    const from = this.position + 1;
    const to = from + this.next();
    if (to > this.numbers.length) throw new RangeError('The pack has fewer numbers than it says.');
    this.position = to;
    return { from, to };
  }
}

export interface NumberRange {
  from: number;
  to: number;
}

function unpack(bytes: Uint8Array, into: Uint32Array, from: number): number {
  let count = from;
  let number = 0;
  let shift = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (byte > 127) {
      number |= (byte & 127) << shift;
      shift += 7;
      continue;
    }
    // An element of a Uint32Array cannot be negative.
    into[count++] = number | (byte << shift);
    number = 0;
    shift = 0;
  }
  return count;
}
