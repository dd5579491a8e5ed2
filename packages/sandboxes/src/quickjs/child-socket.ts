import { readSync, writeSync } from 'node:fs';
import { encodeFrame, FrameReader } from './frame.ts';

/**
 * The child's end of the socket. One thread reads a message, does what it says and answers, for ever: reads block, so a
 * child that waits costs nothing, and it ends when its socket does.
 */
const socket = 3;
const chunkBytes = 256 * 1024;
/** Small, so that the server works on the first messages while the rest are made. */
const flushBytes = 8 * 1024;

export class ChildSocket<Outgoing> {
  private outgoing: Buffer[] = [];
  private outgoingBytes = 0;

  /** Collects messages; they leave together when the current one is done, or when they are many. */
  send(message: Outgoing, body?: Uint8Array): void {
    const frame = encodeFrame(message, body);
    this.outgoing.push(frame);
    this.outgoingBytes += frame.length;
    if (this.outgoingBytes > flushBytes) this.flush();
  }

  serve(obey: (head: unknown, body: Buffer) => void): never {
    this.flush();
    const reader = new FrameReader();
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const length = readSync(socket, chunk);
      if (length === 0) process.exit(0);
      for (const { head, body } of reader.push(Buffer.from(chunk.subarray(0, length)))) {
        obey(head, body);
        this.flush();
      }
    }
  }

  private flush(): void {
    const bytes = Buffer.concat(this.outgoing);
    this.outgoing = [];
    this.outgoingBytes = 0;
    for (let at = 0; at < bytes.length; ) at += writeSync(socket, bytes, at);
  }
}
