/** The messages between the server's thread and the database's thread. Bytes are Postgres's wire protocol. */
export type ToWorker = { type: 'request'; connection: number; bytes: Uint8Array } | { type: 'close' };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'answer'; connection: number; bytes: Uint8Array }
  /** Postgres gave up with this reason, and the thread ends. `refusal` is the system's error code, such as ENOSPC. */
  | { type: 'failed'; reason: string; refusal: string | undefined };

/** Cleans up after a connection: PGlite has one session forever, so the next connection must find it clean. */
export const sessionReset = concat([simpleQuery('ROLLBACK'), simpleQuery('DISCARD ALL')]);

/** Message types after which Postgres answers: Query, Sync, Flush, FunctionCall, and the ends of a copy. */
const answered = new Set(['Q', 'S', 'H', 'F', 'c', 'f'].map((letter) => letter.charCodeAt(0)));
const terminate = 'X'.charCodeAt(0);

/**
 * Splits a byte stream into complete requests. PGlite executes each chunk to the end, so after an error in a pipeline (Parse, Bind,
 * Execute, Sync) it skips to the Sync only if the Sync is in the same chunk.
 */
export class RequestReader {
  #pending: Buffer = Buffer.alloc(0);
  #started = false;

  push(chunk: Uint8Array): { requests: Uint8Array[]; ended: boolean } {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    const requests: Uint8Array[] = [];
    let from = 0;
    let at = 0;
    for (;;) {
      const message = this.#messageAt(at);
      if (message === undefined) break;
      if (message.type === terminate) return { requests, ended: true };
      at += message.length;
      if (message.type !== undefined && !answered.has(message.type)) continue;
      // A copy, because the bytes are transferred to another thread while the pending buffer is still in use.
      requests.push(new Uint8Array(this.#pending.subarray(from, at)));
      from = at;
    }
    this.#pending = this.#pending.subarray(from);
    return { requests, ended: false };
  }

  /** The first message of a connection has a length but no type. */
  #messageAt(offset: number): { type: number | undefined; length: number } | undefined {
    const header = this.#started ? 1 : 0;
    if (this.#pending.length < offset + header + 4) return undefined;
    const length = header + this.#pending.readInt32BE(offset + header);
    if (this.#pending.length < offset + length) return undefined;
    const type = this.#started ? this.#pending[offset] : undefined;
    this.#started = true;
    return { type, length };
  }
}

function simpleQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(text.length + 4, 1);
  return concat([head, text]);
}

function concat(parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
