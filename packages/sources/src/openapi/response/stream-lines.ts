/** Why reading a stream stopped early. */
export type CutOff = 'size' | 'time' | 'connection';

export interface StreamLimits {
  maxBytes: number;
  /** The caller's deadline, in milliseconds since 1970. */
  endsAt: number;
}

/**
 * Yields the lines of a stream as they arrive and returns why it stopped early, if it did. An incomplete last line is dropped then.
 */
export async function readLines(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, endsAt }: StreamLimits,
  onLine: (line: string) => void,
): Promise<CutOff | undefined> {
  const decoder = new TextDecoder();
  const iterator = body[Symbol.asyncIterator]();
  const lines = new Lines(onLine);
  let bytes = 0;
  try {
    for (;;) {
      const next = await within(iterator.next(), endsAt);
      if (next === 'time') return 'time';
      if (next.done) break;
      bytes += next.value.length;
      lines.take(decoder.decode(next.value, { stream: true }));
      if (bytes > maxBytes) return 'size';
      // A chunk that is already available wins over the timer.
      if (Date.now() >= endsAt) return 'time';
    }
  } finally {
    // Not awaited: a stream that hangs would hang here too.
    void iterator.return?.().catch(() => {});
  }
  lines.take(`${decoder.decode()}\n`);
  return undefined;
}

class Lines {
  #open: string[] = [];
  /** A carriage return at the end of a chunk: a line feed may follow. */
  #held = '';
  readonly #onLine: (line: string) => void;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  take(piece: string): void {
    const text = this.#held + piece;
    this.#held = text.endsWith('\r') ? '\r' : '';
    const parts = text.slice(0, text.length - this.#held.length).split(/\r\n|\n|\r/);
    for (const [index, part] of parts.entries()) {
      this.#open.push(part);
      if (index === parts.length - 1) break;
      this.#onLine(this.#open.join(''));
      this.#open = [];
    }
  }
}

async function within<T>(next: Promise<T>, endsAt: number): Promise<T | 'time'> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<'time'>((ended) => {
    timer = setTimeout(() => ended('time'), Math.max(0, endsAt - Date.now()));
  });
  try {
    next.catch(() => {});
    return await Promise.race([next, end]);
  } finally {
    clearTimeout(timer);
  }
}
