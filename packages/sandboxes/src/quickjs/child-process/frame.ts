/**
 * The frames between the server and a child process: `u32 total, u32 head length, head (text), body (bytes)`, little endian. Large
 * texts are in the body, where nothing needs escaping. A reader rejects frames that exceed the maximum.
 */
export type OnFrame = (head: string, body: Buffer) => void;

const maxFrameBytes = 256 * 1024 * 1024;
const totalBytes = 4;
export const prefixBytes = 8;
const emptyBody = Buffer.alloc(0);

export function encodeFrame(head: string, body: string | Uint8Array = emptyBody): Buffer {
  const headBytes = Buffer.byteLength(head);
  const frame = Buffer.allocUnsafe(prefixBytes + headBytes + Buffer.byteLength(body));
  frame.writeUInt32LE(frame.length - totalBytes, 0);
  frame.writeUInt32LE(headBytes, totalBytes);
  frame.write(head, prefixBytes);
  if (typeof body === 'string') frame.write(body, prefixBytes + headBytes);
  else frame.set(body, prefixBytes + headBytes);
  return frame;
}

/** Writes a frame into a buffer that has room for it. Returns the end of the frame. */
export function writeFrame(target: Buffer, at: number, head: string, body: Uint8Array): number {
  const headEnd = at + prefixBytes + target.write(head, at + prefixBytes);
  target.set(body, headEnd);
  const end = headEnd + body.length;
  target.writeUInt32LE(end - at - totalBytes, at);
  target.writeUInt32LE(headEnd - at - prefixBytes, at + totalBytes);
  return end;
}

export class FrameReader {
  readonly #parts: Buffer[] = [];
  #held = 0;
  /** How many bytes of the first frame are needed before the reader tries again. */
  #needed = prefixBytes;
  readonly #onFrame: OnFrame;

  constructor(onFrame: OnFrame) {
    this.#onFrame = onFrame;
  }

  /** Reads the frames that these bytes complete. Keeps no reference to the chunk. Throws if the bytes cannot be a frame. */
  push(chunk: Buffer): void {
    if (this.#held === 0) {
      this.#keep(chunk, this.#read(chunk));
      return;
    }
    this.#keep(chunk, 0);
    if (this.#held < this.#needed) return;
    const joined = Buffer.concat(this.#parts);
    this.#parts.length = 0;
    this.#held = 0;
    this.#keep(joined, this.#read(joined));
  }

  /** Returns the start of the first incomplete frame. */
  #read(bytes: Buffer): number {
    let at = 0;
    for (;;) {
      this.#needed = frameBytes(bytes, at);
      if (bytes.length - at < this.#needed || bytes.length - at < prefixBytes) return at;
      const bodyAt = at + prefixBytes + bytes.readUInt32LE(at + totalBytes);
      at += this.#needed;
      if (bodyAt > at) throw new RangeError('A frame is shorter than its head.');
      const head = bytes.toString('utf8', at - this.#needed + prefixBytes, bodyAt);
      this.#onFrame(head, bodyAt === at ? emptyBody : bytes.subarray(bodyAt, at));
    }
  }

  #keep(bytes: Buffer, from: number): void {
    if (from === bytes.length) return;
    this.#parts.push(Buffer.from(bytes.subarray(from)));
    this.#held += bytes.length - from;
  }
}

function frameBytes(bytes: Buffer, at: number): number {
  if (bytes.length - at < prefixBytes) return prefixBytes;
  const total = bytes.readUInt32LE(at);
  if (total < prefixBytes - totalBytes || total > maxFrameBytes)
    throw new RangeError(`A frame cannot have ${total} bytes.`);
  return totalBytes + total;
}
