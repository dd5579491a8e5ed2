/// <reference lib="es2024.string" />
import { binaryText } from './encode.ts';
import { defineGlobals, host, stringify } from './host.ts';

class SandboxTextEncoder {
  readonly encoding = 'utf-8';

  encode(text: unknown = ''): Uint8Array {
    return host.encodeText(String(text).toWellFormed());
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
  private held = '';

  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false }: DecoderOptions = {}) {
    this.encoding = String(label)
      .trim()
      .toLowerCase()
      .replace(/^utf8$/, 'utf-8');
    this.fatal = Boolean(fatal);
    this.ignoreBOM = Boolean(ignoreBOM);
    if (host.decodeText(this.encoding, '', '{}') === undefined) {
      throw new RangeError(`TextDecoder does not know the encoding "${label}".`);
    }
  }

  decode(input?: ArrayBuffer | ArrayBufferView, { stream = false } = {}): string {
    const bytes = this.held + (input === undefined ? '' : binaryText(bytesOf(input)));
    const whole = stream ? bytes.length - unfinished(bytes, this.encoding) : bytes.length;
    this.held = bytes.slice(whole);
    const options = stringify({ fatal: this.fatal, ignoreBOM: this.ignoreBOM });
    const answer = host.decodeText(this.encoding, bytes.slice(0, whole), options);
    if (answer === undefined) throw new TypeError(`The bytes are not valid ${this.encoding}.`);
    return answer.slice(1);
  }
}

/** How many bytes at the end begin a character that the next chunk may finish. */
function unfinished(bytes: string, encoding: string): number {
  if (encoding.startsWith('utf-16')) return bytes.length % 2;
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

function bytesOf(input: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(input)
    ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
    : new Uint8Array(input);
}

defineGlobals({ TextEncoder: SandboxTextEncoder, TextDecoder: SandboxTextDecoder });
