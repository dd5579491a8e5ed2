import type { Indexer } from '../../../ports/indexer.ts';
import type { ToolPack } from '../../tool-pack.ts';
import { SourceIndex } from './source-index.ts';

interface Dependencies {
  indexer: Indexer;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** A small source has its new index before anybody minds. */
const graceMs = 500;
const againAfterMs = 60_000;

/** The indexes of all opened sources. Each is made once for its tools, in the background, and goes when they do. */
export class SourceIndexes {
  readonly #deps: Dependencies;
  readonly #indexes = new WeakMap<ToolPack, Promise<SourceIndex | undefined>>();
  /** What a source was searched by before its tools were replaced, until their own index is there. */
  readonly #former = new WeakMap<ToolPack, SourceIndex>();
  readonly #made = new WeakMap<ToolPack, SourceIndex>();

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  /** Nobody waits for it; whoever searches first does, unless there is the index of the tools that these replace. */
  begin(pack: ToolPack, replaced?: ToolPack): void {
    const former = replaced && (this.#made.get(replaced) ?? this.#former.get(replaced));
    if (former && pack !== replaced && !this.#made.has(pack)) this.#former.set(pack, former);
    void this.#of(pack);
  }

  /** Undefined where there is none within the time, or none could be made. It may know tools that are gone. */
  async ready(pack: ToolPack, waitMs: number): Promise<SourceIndex | undefined> {
    const making = this.#of(pack);
    const former = this.#former.get(pack);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<SourceIndex | undefined>((resolve) => {
      timer = setTimeout(() => resolve(former), former ? Math.min(waitMs, graceMs) : waitMs);
    });
    try {
      return await Promise.race([making, late]);
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
      const index = new SourceIndex(await this.#deps.indexer.index(pack.packed));
      this.#made.set(pack, index);
      this.#former.delete(pack);
      return index;
    } catch (error) {
      // It costs as much to fail once more: not every search tries it.
      setTimeout(() => this.#indexes.delete(pack), againAfterMs).unref();
      this.#deps.onProblem('the tools of a source could not be indexed', { error, tools: pack.size });
      return undefined;
    }
  }
}
