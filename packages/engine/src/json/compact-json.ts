import { isLargeInteger } from '../validation/large-integer.ts';

interface Options {
  /** Writes integers that a number would round as strings of digits. They are usually ids. */
  quoteLarge: boolean;
}

/** Code that reads a value must be able to write it. */
export const maxJsonDepth = 2_000;

const [quote, comma, minus, colon, backslash] = [0x22, 0x2c, 0x2d, 0x3a, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const words: Record<number, Buffer> = {
  116: Buffer.from('true'),
  102: Buffer.from('false'),
  110: Buffer.from('null'),
};
/** The space for what may become longer than it was: quotes around an integer of 16 digits or more. */
const growth = 1 + 1 / 8;

/**
 * Checks JSON and writes it without white space, with the shortest form of each string, as `JSON.stringify` does. It never builds the value,
 * which can take fifty times the memory of its text. So two texts with the same strings contain the same bytes for them, and a secret
 * cannot hide behind escapes. The bytes must be UTF-8. Throws a `SyntaxError`, or a `RangeError` if the JSON is nested too deeply.
 */
export function compactJson(bytes: Uint8Array, options: Options): Uint8Array<ArrayBuffer> {
  return new Compactor(bytes, options).compact();
}

class Compactor {
  readonly #in: Uint8Array;
  readonly #out: Uint8Array<ArrayBuffer>;
  readonly #options: Options;
  /** The closing bracket of each open list or object. */
  readonly #open = new Uint8Array(maxJsonDepth);
  #depth = 0;
  #at = 0;
  #end = 0;

  constructor(bytes: Uint8Array, options: Options) {
    this.#in = bytes;
    this.#out = new Uint8Array(Math.ceil(bytes.length * growth) + 8);
    this.#options = options;
  }

  compact(): Uint8Array<ArrayBuffer> {
    do this.#value();
    while (this.#next());
    if (this.#at < this.#in.length) throw this.#unexpected();
    return this.#out.subarray(0, this.#end);
  }

  /** Copies a value, or the beginning of a list or object up to its first value. */
  #value(): void {
    for (;;) {
      const byte = this.#skipSpace();
      if (byte !== openList && byte !== openObject) {
        this.#scalar(byte);
        return;
      }
      const close = byte === openList ? closeList : closeObject;
      if (this.#depth === maxJsonDepth) throw new RangeError('The JSON is nested too deeply.');
      this.#open[this.#depth++] = close;
      this.#copy();
      if (this.#skipSpace() === close) {
        this.#close();
        return;
      }
      if (close === closeObject) this.#key();
    }
  }

  /** Copies what follows a value. Whether that is another value. */
  #next(): boolean {
    while (this.#depth > 0) {
      const close = this.#open[this.#depth - 1];
      const byte = this.#skipSpace();
      if (byte === comma) {
        this.#copy();
        if (close === closeObject) this.#key();
        return true;
      }
      if (byte !== close) throw this.#unexpected();
      this.#close();
    }
    this.#skipSpace();
    return false;
  }

  #close(): void {
    this.#depth -= 1;
    this.#copy();
  }

  #key(): void {
    if (this.#skipSpace() !== quote) throw this.#unexpected();
    this.#string();
    if (this.#skipSpace() !== colon) throw this.#unexpected();
    this.#copy();
  }

  #scalar(byte: number): void {
    if (byte === quote) this.#string();
    else if (byte === minus || isDigit(byte)) this.#number();
    else this.#word(words[byte]);
  }

  #word(word: Uint8Array | undefined): void {
    if (word === undefined) throw this.#unexpected();
    for (const expected of word) {
      if (this.#in[this.#at] !== expected) throw this.#unexpected();
      this.#copy();
    }
  }

  #string(): void {
    const start = this.#at;
    this.#copy();
    for (;;) {
      const byte = this.#in[this.#at];
      if (byte === undefined || byte < 0x20) throw this.#unexpected();
      if (byte === backslash) {
        this.#escaped(start);
        return;
      }
      this.#copy();
      if (byte === quote) return;
    }
  }

  /** A string with escapes can be written in several ways. */
  #escaped(start: number): void {
    let end = this.#at;
    for (let byte = this.#in[end]; byte !== quote; byte = this.#in[end]) {
      if (byte === undefined || byte < 0x20) {
        this.#at = end;
        throw this.#unexpected();
      }
      end += byte === backslash ? 2 : 1;
    }
    const text = Buffer.from(this.#in.buffer, this.#in.byteOffset + start, end + 1 - start).toString();
    this.#end -= this.#at - start;
    this.#write(JSON.stringify(JSON.parse(text)));
    this.#at = end + 1;
  }

  #number(): void {
    const start = this.#at;
    const written = this.#end;
    if (this.#in[this.#at] === minus) this.#copy();
    if (this.#in[this.#at] === 0x30) this.#copy();
    else this.#digits();
    const isInteger = !this.#hasFraction();
    const length = this.#at - start;
    if (length < 16 && isInteger) return;
    const text = Buffer.from(this.#in.subarray(start, this.#at)).toString('latin1');
    const isLarge = this.#options.quoteLarge && isLargeInteger(text);
    if (!isLarge && Number.isFinite(Number(text))) return;
    this.#end = written;
    this.#write(isLarge ? `"${text}"` : 'null');
  }

  #hasFraction(): boolean {
    const start = this.#at;
    if (this.#in[this.#at] === 0x2e) {
      this.#copy();
      this.#digits();
    }
    if (((this.#in[this.#at] ?? 0) | 0x20) === 0x65) {
      this.#copy();
      const sign = this.#in[this.#at];
      if (sign === minus || sign === 0x2b) this.#copy();
      this.#digits();
    }
    return this.#at > start;
  }

  #digits(): void {
    if (!isDigit(this.#in[this.#at])) throw this.#unexpected();
    while (isDigit(this.#in[this.#at])) this.#copy();
  }

  #skipSpace(): number {
    for (;;) {
      const byte = this.#in[this.#at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte ?? -1;
      this.#at += 1;
    }
  }

  #copy(): void {
    this.#out[this.#end++] = this.#in[this.#at++] as number;
  }

  #write(text: string): void {
    this.#end += Buffer.from(this.#out.buffer).write(text, this.#end);
  }

  #unexpected(): SyntaxError {
    if (this.#at >= this.#in.length) return new SyntaxError('Unexpected end of JSON input');
    const character = String.fromCodePoint(this.#in[this.#at] as number);
    return new SyntaxError(`Unexpected token ${JSON.stringify(character)} in JSON at byte ${this.#at}`);
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
