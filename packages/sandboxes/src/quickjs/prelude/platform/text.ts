/// <reference lib="es2024.string" />
import { maxTextBytes, pieceCharacters } from '../contract.ts';
import { binaryText } from '../encode.ts';
import { defineGlobals, host } from '../host.ts';

class SandboxTextEncoder {
  readonly encoding = 'utf-8';

  encode(text: unknown = ''): Uint8Array {
    const whole = String(text).toWellFormed();
    if (whole.length <= pieceCharacters) return host.encodeText(whole);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < whole.length; ) {
      const end = endOfPiece(whole, at);
      pieces.push(host.encodeText(whole.slice(at, end)));
      at = end;
    }
    return joined(pieces);
  }

  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of String(text).toWellFormed()) {
      const bytes = host.encodeText(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

interface DecoderOptions {
  fatal?: boolean;
  ignoreBOM?: boolean;
}

class SandboxTextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** The bytes of an incomplete character. */
  #held = '';
  /** A byte order mark counts only at the start of the text. */
  #begun = false;

  constructor(label: unknown = 'utf-8', { fatal = false, ignoreBOM = false }: DecoderOptions = {}) {
    this.fatal = Boolean(fatal);
    this.ignoreBOM = Boolean(ignoreBOM);
    const answer = host.decodeText(String(label), '', '{}');
    if (answer === undefined) throw new RangeError(`TextDecoder does not know the encoding "${label}".`);
    this.encoding = answer.slice(0, -1);
  }

  decode(input?: ArrayBuffer | ArrayBufferView, { stream = false } = {}): string {
    const bytes = this.#held + (input === undefined ? '' : binaryText(bytesOf(input)));
    const whole = stream ? bytes.length - unfinished(bytes, this.encoding) : bytes.length;
    this.#held = bytes.slice(whole);
    let text = '';
    for (let at = 0; at < whole; ) {
      const end = this.#endOfPiece(bytes, at, whole);
      text += this.#decodePiece(bytes.slice(at, end));
      at = end;
    }
    if (!stream) this.#begun = false;
    return text;
  }

  #endOfPiece(bytes: string, at: number, whole: number): number {
    if (whole - at <= pieceCharacters) return whole;
    if (/^(gb|big5|euc-|shift_jis|iso-2022)/.test(this.encoding)) {
      if (whole - at <= maxTextBytes / 2) return whole;
      throw new RangeError(`TextDecoder takes ${maxTextBytes / 2} bytes of ${this.encoding} at once.`);
    }
    const end = at + pieceCharacters;
    return end - unfinished(bytes.slice(at, end), this.encoding);
  }

  #decodePiece(piece: string): string {
    const ignoreBOM = this.ignoreBOM || this.#begun;
    this.#begun = true;
    const options = `{"fatal":${this.fatal},"ignoreBOM":${ignoreBOM}}`;
    const answer = host.decodeText(this.encoding, piece, options);
    if (answer === undefined) throw new TypeError(`The bytes are not valid ${this.encoding}.`);
    return answer.slice(this.encoding.length + 1);
  }
}

/** The number of final bytes that start an incomplete character. */
function unfinished(bytes: string, encoding: string): number {
  if (encoding.startsWith('utf-16')) return unfinishedPair(bytes, encoding);
  if (encoding !== 'utf-8') return 0;
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.charCodeAt(bytes.length - back);
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? back : 0;
  }
  return 0;
}

/** The odd byte, and the first unit of a surrogate pair. */
function unfinishedPair(bytes: string, encoding: string): number {
  const odd = bytes.length % 2;
  const last = bytes.length - odd - 2;
  const high = bytes.charCodeAt(encoding === 'utf-16be' ? last : last + 1);
  return high >= 0xd8 && high < 0xdc ? odd + 2 : odd;
}

function bytesOf(input: unknown): Uint8Array {
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer || input instanceof SharedArrayBuffer) return new Uint8Array(input);
  throw new TypeError('TextDecoder.decode takes bytes: an ArrayBuffer or a view of one.');
}

/** Finds a position between two characters. A surrogate pair is one character. */
function endOfPiece(text: string, at: number): number {
  const end = at + pieceCharacters;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

defineGlobals({ TextEncoder: SandboxTextEncoder, TextDecoder: SandboxTextDecoder });
