import { UnreachableError } from '../../http/unreachable-error.ts';
import { parseJson } from './parse-json.ts';
import { type CutOff, readLines, type StreamLimits } from './stream-lines.ts';

export interface StreamEvent {
  event?: string;
  id?: string;
  data: unknown;
}

/** All events of a stream of server-sent events. JSON data is parsed. */
export async function readEventStream(
  body: AsyncIterable<Uint8Array>,
  limits: StreamLimits,
): Promise<{ events: StreamEvent[]; cutOff: CutOff | undefined }> {
  const events: StreamEvent[] = [];
  let builder = new EventBuilder();
  const reading = readLines(body, limits, (line) => {
    if (line !== '') return builder.addLine(line);
    const event = builder.finish();
    if (event) events.push(event);
    builder = new EventBuilder();
  });
  const cutOff = await reading.catch((error: unknown): CutOff => {
    // Events cannot be read again, so the complete ones are kept.
    if (error instanceof UnreachableError && events.length > 0) return 'connection';
    throw error;
  });
  // Many servers omit the last empty line.
  const last = cutOff === undefined ? builder.finish() : undefined;
  return { events: last ? [...events, last] : events, cutOff };
}

class EventBuilder {
  #event: string | undefined;
  #id: string | undefined;
  readonly #data: string[] = [];

  addLine(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id = value;
    else if (name === 'data') this.#data.push(value);
  }

  finish(): StreamEvent | undefined {
    if (this.#data.length === 0) return undefined;
    return {
      ...(this.#event !== undefined && { event: this.#event }),
      ...(this.#id !== undefined && { id: this.#id }),
      data: jsonOrText(this.#data.join('\n')),
    };
  }
}

export function jsonOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
