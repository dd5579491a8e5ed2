/** One block of a stream of server-sent events. A block without data is not an event; it only sets the position to resume from. */
export interface EventFrame {
  id?: string;
  data?: string;
  retryMs?: number;
}

/** Assembles the blocks of a stream from its chunks, wherever the chunks are split. */
export class EventFrameParser {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #unread = '';
  #frame: EventFrame = {};

  /** Returns the blocks that this chunk completes. */
  push(piece: Uint8Array): EventFrame[] {
    const text = this.#unread + this.#decoder.decode(piece, { stream: true });
    // A carriage return at the end may be the first half of a line break.
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\n|\r/);
    this.#unread = (lines.pop() ?? '') + text.slice(whole.length);
    return lines.flatMap((line) => this.#readLine(line));
  }

  #readLine(line: string): EventFrame[] {
    if (line === '') {
      const frame = this.#frame;
      this.#frame = {};
      return Object.keys(frame).length > 0 ? [frame] : [];
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    this.#readField(name, value);
    return [];
  }

  #readField(name: string, value: string): void {
    if (name === 'id' && !value.includes('\0')) this.#frame.id = value;
    if (name === 'data')
      this.#frame.data = this.#frame.data === undefined ? value : `${this.#frame.data}\n${value}`;
    if (name === 'retry' && /^\d+$/.test(value)) this.#frame.retryMs = Number(value);
  }
}
