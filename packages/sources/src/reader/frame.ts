/**
 * The frames between the server and a reader process: a length, a kind, and that many bytes. Messages are JSON; documents and packed
 * tools are raw bytes.
 */
export const frameKinds = { message: 1, document: 2, tools: 3, original: 4 } as const;
export type FrameKind = keyof typeof frameKinds;

const prefixBytes = 5;
/** Larger than any valid frame: bytes are sent in chunks. */
const maxBytes = 64 * 1024 * 1024;
const kinds = new Map<number, FrameKind>(
  Object.entries(frameKinds).map(([name, number]) => [number, name as FrameKind]),
);

/** The prefix of a frame; its bytes follow. */
export function framePrefix(kind: FrameKind, length: number): Buffer {
  const prefix = Buffer.allocUnsafe(prefixBytes);
  prefix.writeUInt32LE(length, 0);
  prefix.writeUInt8(frameKinds[kind], 4);
  return prefix;
}

/** Assembles frames from the chunks of a pipe. Throws on an invalid frame. */
export class FrameReader {
  readonly #onFrame: (kind: FrameKind, bytes: Buffer) => void;
  #parts: Buffer[] = [];
  #have = 0;
  #need = prefixBytes;
  #kind: FrameKind | undefined;

  constructor(onFrame: (kind: FrameKind, bytes: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#have += chunk.length;
    while (this.#have >= this.#need) this.#advance(this.#take(this.#need));
  }

  #advance(bytes: Buffer): void {
    if (this.#kind !== undefined) {
      const kind = this.#kind;
      this.#kind = undefined;
      this.#need = prefixBytes;
      this.#onFrame(kind, bytes);
      return;
    }
    this.#kind = kinds.get(bytes.readUInt8(4));
    this.#need = bytes.readUInt32LE(0);
    if (this.#kind === undefined || this.#need > maxBytes) throw new RangeError('Invalid frame.');
  }

  #take(length: number): Buffer {
    const all = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = all.length > length ? [all.subarray(length)] : [];
    this.#have = all.length - length;
    return all.subarray(0, length);
  }
}
