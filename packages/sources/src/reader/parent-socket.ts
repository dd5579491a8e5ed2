import { readSync, writeSync } from 'node:fs';
import { type FrameKind, FrameReader, framePrefix } from './frame.ts';
import type { FromReader, ToReader } from './messages.ts';

/**
 * The reader's end of the pipes to the server. Reads and writes block: a reader does one thing at a time, and asking for a document
 * returns the document.
 */
export class ParentSocket {
  readonly #frames: { kind: FrameKind; bytes: Buffer }[] = [];
  readonly #reader = new FrameReader((kind, bytes) => this.#frames.push({ kind, bytes }));
  readonly #chunk = Buffer.allocUnsafe(chunkBytes);

  send(message: FromReader): void {
    this.sendBytes('message', Buffer.from(JSON.stringify(message)));
  }

  sendBytes(kind: FrameKind, bytes: Uint8Array): void {
    write(framePrefix(kind, bytes.length));
    write(bytes);
  }

  /** The next message, with the bytes that were sent before it. */
  receive(): { message: ToReader; bytes: Buffer } {
    const parts: Buffer[] = [];
    for (;;) {
      const frame = this.#next();
      if (frame.kind === 'document') parts.push(frame.bytes);
      else return { message: JSON.parse(frame.bytes.toString()) as ToReader, bytes: Buffer.concat(parts) };
    }
  }

  #next(): { kind: FrameKind; bytes: Buffer } {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame) return frame;
      const length = readSync(fromServer, this.#chunk, 0, chunkBytes, null);
      // The server is gone, so there is no one to report to.
      if (length === 0) process.exit(0);
      this.#reader.push(Buffer.from(this.#chunk.subarray(0, length)));
    }
  }
}

const fromServer = 0;
const toServer = 1;
const chunkBytes = 1024 * 1024;

function write(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(toServer, bytes, at, bytes.length - at);
}
