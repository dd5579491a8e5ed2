import { isLatin, kindOf, other } from './tokens.ts';

/** Numbers the tokens of texts. It recognises a known token without cutting it out of its text. */
export class TokenTable {
  readonly tokens: string[] = [];
  /** The current text as character codes. Reading a string letter by letter takes several times as long. */
  #text = Buffer.alloc(1 << 10);
  #codes = codesIn(this.#text);
  /** The codes of all tokens, and the start of each. */
  #known = new Uint16Array(1 << 9);
  #starts = new Uint32Array(1 << 7);
  #hashes = new Int32Array(1 << 7);
  #slots = new Int32Array(1 << 8);
  // The factor is random, so that nobody can write a document whose tokens all have the same hash.
  readonly #factor = (Math.floor(Math.random() * 0x1fffffff) << 1) | 0x10001;

  /** Writes the numbers of a text's tokens into a list and returns their count. */
  numbersIn(text: string, into: number[]): number {
    const end = this.#read(text);
    const codes = this.#codes;
    const factor = this.#factor;
    let count = 0;
    let position = 0;
    while (position < end) {
      const kind = kindAt(codes, position);
      if (kind === other) {
        position += 1;
        continue;
      }
      const start = position;
      let hash = 0;
      do {
        hash = Math.imul(hash ^ (codes[position] as number), factor);
        hash ^= hash >>> 15;
        position += 1;
      } while (position < end && kindAt(codes, position) === kind);
      into[count++] = this.#numberOf(start, position, hash);
    }
    return count;
  }

  #read(text: string): number {
    if (text.length > this.#codes.length) {
      this.#text = Buffer.alloc(text.length * 4);
      this.#codes = codesIn(this.#text);
    }
    return this.#text.write(text, 0, 'utf16le') >> 1;
  }

  #numberOf(start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const hashes = this.#hashes;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = (slots[slot] as number) - 1;
      if (hashes[number] === hash && this.#isAt(number, start, end)) return number;
    }
    slots[slot] = this.tokens.length + 1;
    return this.#add(start, end, hash);
  }

  #isAt(number: number, start: number, end: number): boolean {
    const codes = this.#codes;
    const known = this.#known;
    const from = this.#starts[number] as number;
    if ((this.#starts[number + 1] as number) - from !== end - start) return false;
    for (let position = 0; position < end - start; position++)
      if (known[from + position] !== codes[start + position]) return false;
    return true;
  }

  #add(start: number, end: number, hash: number): number {
    const number = this.tokens.length;
    const from = this.#starts[number] as number;
    const to = from + end - start;
    if (to > this.#known.length) this.#known = grown(this.#known, new Uint16Array(to * 2));
    this.#known.set(this.#codes.subarray(start, end), from);
    this.tokens.push(this.#text.toString('utf16le', start * 2, end * 2));
    this.#hashes[number] = hash;
    this.#starts[number + 1] = to;
    if (number + 2 === this.#starts.length) this.#grow();
    return number;
  }

  #grow(): void {
    const size = this.#starts.length * 2;
    this.#starts = grown(this.#starts, new Uint32Array(size));
    this.#hashes = grown(this.#hashes, new Int32Array(size));
    this.#slots = new Int32Array(size * 2);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.tokens.length; number++) {
      let slot = (this.#hashes[number] as number) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

function codesIn({ buffer, byteOffset, length }: Buffer): Uint16Array {
  return new Uint16Array(buffer, byteOffset, length >> 1);
}

function kindAt(codes: Uint16Array, position: number): number {
  const code = codes[position] as number;
  return code < 128 ? (isLatin[code] as number) : kindOf(code);
}

function grown<A extends Uint32Array | Int32Array | Uint16Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
