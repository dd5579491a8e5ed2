import type { JsonReader } from '../../ports/json-reader.ts';
import { sleepPath } from '../../ports/sandbox.ts';
import type { RunState } from '../run/run-state.ts';

interface Result {
  path: string;
  json: string;
  hasNext: boolean;
}

/** Parsing this much takes well under a millisecond. */
const maxParsed = 64 * 1024;
const shownBytes = 4_000;

/** The results that the code got from its calls, in the order in which it got them. */
export class RunResults {
  readonly all: readonly Result[];
  readonly #jsonReader: Pick<JsonReader, 'cut'>;

  constructor(
    { calls, completions }: Pick<RunState, 'calls' | 'completions'>,
    jsonReader: Pick<JsonReader, 'cut'>,
  ) {
    this.#jsonReader = jsonReader;
    this.all = completions.flatMap(({ index, result }) => {
      const path = calls[index]?.path ?? sleepPath;
      if (path === sleepPath || result.type !== 'value') return [];
      return [{ path, json: result.json, hasNext: result.hasNext === true }];
    });
  }

  /** The last result of a tool. A large one is cut, and says so. */
  async last(path: string): Promise<unknown> {
    const json = this.all.findLast((result) => result.path === path)?.json;
    return json === undefined ? undefined : this.#parsed(json);
  }

  /** The last results of the tools that were called last. */
  async latest(max: number): Promise<{ path: string; value: unknown }[]> {
    const paths = [...new Set(this.all.toReversed().map(({ path }) => path))].slice(0, max);
    return Promise.all(paths.map(async (path) => ({ path, value: await this.last(path) })));
  }

  async #parsed(json: string): Promise<unknown> {
    try {
      const text = json.length > maxParsed ? await this.#jsonReader.cut(Buffer.from(json), shownBytes) : json;
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
}
