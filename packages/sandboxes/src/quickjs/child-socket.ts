import { readSync, writeSync } from 'node:fs';
import { encodeFrame, FrameReader, type OnFrame, prefixBytes, writeFrame } from './frame.ts';

/**
 * The child's end of the socket. One thread reads a message, does what it says and answers, for ever: reads block, so a
 * child that waits costs nothing, and it ends when its socket does.
 */
const socket = 3;
const chunkBytes = 256 * 1024;
/** Small, so that the server works on the first messages while the rest are made. */
const flushBytes = 8 * 1024;
const maxBytesOfCharacter = 3;
const emptyBody = new Uint8Array(0);

export class ChildSocket {
  private readonly outgoing = Buffer.allocUnsafe(2 * flushBytes);
  private used = 0;

  /** Collects messages; they leave together when the current one is done, or when they are many. */
  send(head: string, body: Uint8Array = emptyBody): void {
    if (prefixBytes + maxBytesOfCharacter * head.length + body.length > this.outgoing.length - this.used) {
      this.flush();
      write(encodeFrame(head, body));
      return;
    }
    this.used = writeFrame(this.outgoing, this.used, head, body);
    if (this.used > flushBytes) this.flush();
  }

  serve(obey: OnFrame): never {
    this.flush();
    const reader = new FrameReader((head, body) => {
      obey(head, body);
      this.flush();
    });
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const length = readSync(socket, chunk, 0, chunkBytes, null);
      if (length === 0) process.exit(0);
      reader.push(chunk.subarray(0, length));
    }
  }

  private flush(): void {
    if (this.used > 0) write(this.outgoing, this.used);
    this.used = 0;
  }
}

function write(bytes: Uint8Array, end = bytes.length): void {
  for (let at = 0; at < end; ) at += writeSync(socket, bytes, at, end - at);
}
