import type { BodyLimits } from './limited-body.ts';

/** Why reading a stream stopped early. */
export type CutOff = 'size' | 'time' | 'connection';

export interface StreamLimits extends BodyLimits {
  /** The caller's deadline, in milliseconds since 1970. */
  endsAt: number;
}

/** Passes each line of a stream on as it arrives. Returns why reading stopped early, if it did; an incomplete last line is dropped then. */
export async function readLines(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, room, endsAt }: StreamLimits,
  onLine: OnLine,
): Promise<CutOff | undefined> {
  const decoder = new TextDecoder();
  const iterator = body[Symbol.asyncIterator]();
  const lines = new LineSplitter(onLine);
  let bytes = 0;
  try {
    for (;;) {
      const next = await beforeDeadline(iterator.next(), endsAt);
      if (next === 'time') return 'time';
      if (next.done) break;
      bytes += next.value.length;
      await room.grow(bytes, maxBytes);
      await lines.push(decoder.decode(next.value, { stream: true }));
      if (bytes > maxBytes) return 'size';
      // A chunk that is already available wins over the timer.
      if (Date.now() >= endsAt) return 'time';
    }
  } finally {
    // Not awaited: a stream that hangs would hang here too.
    void iterator.return?.().catch(() => {});
  }
  await lines.push(`${decoder.decode()}\n`);
  return undefined;
}

/** A line that takes long to read returns a promise. */
type OnLine = (line: string) => Promise<void> | undefined;

class LineSplitter {
  #line: string[] = [];
  /** A carriage return at the end of a chunk: a line feed may follow. */
  #held = '';
  readonly #onLine: OnLine;

  constructor(onLine: OnLine) {
    this.#onLine = onLine;
  }

  async push(chunk: string): Promise<void> {
    const text = this.#held + chunk;
    this.#held = text.endsWith('\r') ? '\r' : '';
    const parts = text.slice(0, text.length - this.#held.length).split(/\r\n|\n|\r/);
    for (const [index, part] of parts.entries()) {
      this.#line.push(part);
      if (index === parts.length - 1) break;
      const line = this.#line.join('');
      this.#line = [];
      const reading = this.#onLine(line);
      if (reading) await reading;
    }
  }
}

async function beforeDeadline<T>(next: Promise<T>, endsAt: number): Promise<T | 'time'> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<'time'>((resolve) => {
    timer = setTimeout(() => resolve('time'), Math.max(0, endsAt - Date.now()));
  });
  try {
    next.catch(() => {});
    return await Promise.race([next, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
