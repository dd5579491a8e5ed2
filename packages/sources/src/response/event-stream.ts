import type { JsonReader } from '@executor/engine';
import { UnreachableError } from '../http/unreachable-error.ts';
import { JsonList } from './json-list.ts';
import { parseJson } from './parse-json.ts';
import { jsonOfText } from './read-json.ts';
import { type CutOff, readLines, type StreamLimits } from './stream-lines.ts';

/** All events of a stream of server-sent events, as a JSON list of `{ event?, id?, data }`. JSON data is included as JSON. */
export async function readEventStream(
  body: AsyncIterable<Uint8Array>,
  limits: StreamLimits,
  reader: JsonReader,
): Promise<{ events: JsonList; cutOff: CutOff | undefined }> {
  const events = new JsonList();
  const add = (event: string) => events.add(event);
  let builder = new EventBuilder();
  const reading = readLines(body, limits, (line) => {
    if (line !== '') {
      builder.addLine(line);
      return undefined;
    }
    const event = builder.finish(reader);
    builder = new EventBuilder();
    if (typeof event === 'object') return event.then(add);
    if (event !== undefined) add(event);
    return undefined;
  });
  const cutOff = await reading.catch((error: unknown): CutOff => {
    // Events cannot be read again, so the complete ones are kept.
    if (error instanceof UnreachableError && !events.isEmpty) return 'connection';
    throw error;
  });
  // Many servers omit the last empty line.
  const last = cutOff === undefined ? await builder.finish(reader) : undefined;
  if (last !== undefined) add(last);
  return { events, cutOff };
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

  /** The event as JSON. */
  finish(reader: JsonReader): string | undefined | Promise<string> {
    if (this.#data.length === 0) return undefined;
    const data = jsonOfText(this.#data.join('\n'), reader);
    return typeof data === 'string' ? this.#withData(data) : data.then((json) => this.#withData(json));
  }

  #withData(data: string): string {
    const event = this.#event === undefined ? '' : `"event":${JSON.stringify(this.#event)},`;
    const id = this.#id === undefined ? '' : `"id":${JSON.stringify(this.#id)},`;
    return `{${event}${id}"data":${data}}`;
  }
}

export function jsonOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
