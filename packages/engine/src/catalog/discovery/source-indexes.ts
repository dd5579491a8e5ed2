import type { Indexer } from '../../ports/indexer.ts';
import type { ToolPack } from '../tool-pack.ts';
import { SourceIndex } from './searched-source.ts';

interface Dependencies {
  indexer: Indexer;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** The indexes of all opened sources. Each is made once for its tools, in the background, and goes when they do. */
export class SourceIndexes {
  readonly #deps: Dependencies;
  readonly #indexes = new WeakMap<ToolPack, Promise<SourceIndex | undefined>>();

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  /** Nobody waits for it; whoever searches first does. */
  begin(pack: ToolPack): void {
    void this.#of(pack);
  }

  /** Undefined where there is none within the time, or none could be made. */
  async ready(pack: ToolPack, waitMs: number): Promise<SourceIndex | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), waitMs);
    });
    try {
      return await Promise.race([this.#of(pack), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #of(pack: ToolPack): Promise<SourceIndex | undefined> {
    const known = this.#indexes.get(pack);
    if (known) return known;
    const made = this.#make(pack);
    this.#indexes.set(pack, made);
    return made;
  }

  async #make(pack: ToolPack): Promise<SourceIndex | undefined> {
    try {
      return new SourceIndex(await this.#deps.indexer.index(pack.packed));
    } catch (error) {
      // The next search tries once more.
      this.#indexes.delete(pack);
      this.#deps.onProblem('the tools of a source could not be indexed', { error, tools: pack.size });
      return undefined;
    }
  }
}
