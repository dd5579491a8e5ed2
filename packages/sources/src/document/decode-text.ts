import { isAscii } from 'node:buffer';

/** Decodes a document: UTF-8 unless a byte order mark or zero bytes indicate UTF-16. */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = decode(buffer);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function decode(buffer: Buffer): string {
  const [first, second] = buffer;
  if (first === 0xff && second === 0xfe) return buffer.toString('utf16le');
  if (first === 0xfe && second === 0xff) return swapped(buffer).toString('utf16le');
  // The first character of a document is ASCII, so in UTF-16 one of its two bytes is zero.
  if (first !== 0 && second === 0) return buffer.toString('utf16le');
  if (first === 0 && second !== 0) return swapped(buffer).toString('utf16le');
  // Half as large in memory, and faster to parse.
  return buffer.toString(isAscii(buffer) ? 'latin1' : 'utf8');
}

function swapped(buffer: Buffer): Buffer {
  return Buffer.from(buffer.subarray(0, buffer.length - (buffer.length % 2))).swap16();
}
