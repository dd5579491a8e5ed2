import { readSync, writeSync } from 'node:fs';
import { encodeFrame, FrameReader, type OnFrame, prefixBytes, writeFrame } from './frame.ts';

/**
 * The child's end of the socket. The child reads a message, performs it and answers, in a loop on one thread. Reads block, so a waiting
 * child costs nothing. It exits when its socket closes.
 */
const socket = 3;
const chunkBytes = 256 * 1024;
/** Small, so that the server can work on the first messages while the child prepares the rest. */
const flushBytes = 8 * 1024;
const maxBytesOfCharacter = 3;
const emptyBody = new Uint8Array(0);

export class ChildSocket {
  readonly #outgoing = Buffer.allocUnsafe(2 * flushBytes);
  #used = 0;

  /** Buffers messages. They are written together when the current message is done, or when the buffer is full. */
  send(head: string, body: Uint8Array = emptyBody): void {
    if (prefixBytes + maxBytesOfCharacter * head.length + body.length > this.#outgoing.length - this.#used) {
      this.#flush();
      write(encodeFrame(head, body));
      return;
    }
    this.#used = writeFrame(this.#outgoing, this.#used, head, body);
    if (this.#used > flushBytes) this.#flush();
  }

  serve(perform: OnFrame): never {
    this.#flush();
    const reader = new FrameReader((head, body) => {
      perform(head, body);
      this.#flush();
    });
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const length = readSync(socket, chunk, 0, chunkBytes, null);
      if (length === 0) process.exit(0);
      reader.push(chunk.subarray(0, length));
    }
  }

  #flush(): void {
    if (this.#used > 0) write(this.#outgoing, this.#used);
    this.#used = 0;
  }
}

function write(bytes: Uint8Array, end = bytes.length): void {
  for (let at = 0; at < end; ) at += writeSync(socket, bytes, at, end - at);
}
