/**
 * What goes over the pipes between the server and a reader: a length, a kind, and that many bytes. Messages are JSON; documents and what is
 * made of them are bytes as they are.
 */
export const frameKinds = { message: 1, document: 2, tools: 3, original: 4 } as const;
export type FrameKind = keyof typeof frameKinds;

const prefixBytes = 5;
/** Larger than any frame that is meant: bytes are sent in pieces. */
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

/** Puts frames together from what a pipe gives. Throws where something is no frame. */
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
    if (this.#kind === undefined || this.#need > maxBytes) throw new RangeError('This is no frame.');
  }

  #take(length: number): Buffer {
    const all = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = all.length > length ? [all.subarray(length)] : [];
    this.#have = all.length - length;
    return all.subarray(0, length);
  }
}
