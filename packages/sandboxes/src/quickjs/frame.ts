/**
 * How the server and a child process talk: `u32 total, u16 head length, head (JSON), body (bytes)`, little endian. Large
 * text travels in the body, where nothing needs escaping. A reader trusts no length: a frame over the maximum is an error.
 */
export interface Frame {
  head: unknown;
  body: Buffer;
}

const maxFrameBytes = 256 * 1024 * 1024;
const prefixBytes = 6;
const emptyBody = Buffer.alloc(0);

export function encodeFrame(head: unknown, body: Uint8Array = emptyBody): Buffer {
  const headText = JSON.stringify(head);
  const headBytes = Buffer.byteLength(headText);
  const frame = Buffer.allocUnsafe(prefixBytes + headBytes + body.length);
  frame.writeUInt32LE(2 + headBytes + body.length, 0);
  frame.writeUInt16LE(headBytes, 4);
  frame.write(headText, prefixBytes);
  frame.set(body, prefixBytes + headBytes);
  return frame;
}

export class FrameReader {
  private chunks: Buffer[] = [];
  private held = 0;

  /** Adds bytes and answers the frames that they complete. Throws when they can never be a frame. */
  push(chunk: Buffer): Frame[] {
    this.chunks.push(chunk);
    this.held += chunk.length;
    const frames: Frame[] = [];
    for (let frame = this.next(); frame; frame = this.next()) frames.push(frame);
    return frames;
  }

  private next(): Frame | undefined {
    if (this.held < prefixBytes) return undefined;
    const total = this.peek(prefixBytes).readUInt32LE(0);
    if (total < 2 || total > maxFrameBytes) throw new RangeError(`A frame of ${total} bytes cannot be.`);
    if (this.held < 4 + total) return undefined;
    const frame = this.take(4 + total);
    const headEnd = prefixBytes + frame.readUInt16LE(4);
    if (headEnd > frame.length) throw new RangeError('A frame is shorter than its head.');
    return { head: JSON.parse(frame.toString('utf8', prefixBytes, headEnd)), body: frame.subarray(headEnd) };
  }

  /** The first bytes in one buffer; chunks are only joined when a frame spans them. */
  private peek(bytes: number): Buffer {
    const first = this.chunks[0] as Buffer;
    if (first.length >= bytes) return first;
    const joined = Buffer.concat(this.chunks);
    this.chunks = [joined];
    return joined;
  }

  private take(bytes: number): Buffer {
    const first = this.peek(bytes);
    const taken = first.subarray(0, bytes);
    this.held -= bytes;
    if (first.length === bytes) this.chunks.shift();
    else this.chunks[0] = first.subarray(bytes);
    return taken;
  }
}
