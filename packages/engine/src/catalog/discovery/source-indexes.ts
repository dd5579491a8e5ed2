import type { Discovery, SearchIndex } from '../../ports/discovery.ts';
import type { Indexer } from '../../ports/indexer.ts';
import type { ToolPack } from '../tool-pack.ts';
import type { ModelVectors } from './model-vectors.ts';

interface Dependencies {
  discovery: Pick<Discovery, 'open'>;
  indexer: Indexer;
  /** Undefined if search uses no language model. */
  vectors?: Pick<ModelVectors, 'begin'> | undefined;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** How long a search waits for a new index while a former one exists. The index of a small source is ready by then. */
const graceMs = 500;
const retryAfterMs = 60_000;

/**
 * The indexes of all opened sources. Each one is built once in the background, and is garbage collected with its tools.
 */
export class SourceIndexes {
  readonly #deps: Dependencies;
  readonly #indexes = new WeakMap<ToolPack, Promise<SearchIndex | undefined>>();
  /** The index of the tools that a pack replaced, until its own index is built. */
  readonly #former = new WeakMap<ToolPack, SearchIndex>();
  readonly #built = new WeakMap<ToolPack, SearchIndex>();

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  /** Starts to build an index. Until it is built, searches use the index of the replaced tools. */
  begin(pack: ToolPack, replaced?: ToolPack): void {
    const former = replaced && (this.#built.get(replaced) ?? this.#former.get(replaced));
    if (former && pack !== replaced && !this.#built.has(pack)) this.#former.set(pack, former);
    void this.#indexOf(pack);
  }

  /**
   * Undefined if the index is not built in time, or cannot be built. A former index may contain tools that were
   * removed.
   */
  async ready(pack: ToolPack, waitMs: number): Promise<SearchIndex | undefined> {
    const building = this.#indexOf(pack);
    const former = this.#former.get(pack);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<SearchIndex | undefined>((resolve) => {
      timer = setTimeout(() => resolve(former), former ? Math.min(waitMs, graceMs) : waitMs);
    });
    try {
      return await Promise.race([building, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #indexOf(pack: ToolPack): Promise<SearchIndex | undefined> {
    const known = this.#indexes.get(pack);
    if (known) return known;
    const building = this.#build(pack);
    this.#indexes.set(pack, building);
    return building;
  }

  async #build(pack: ToolPack): Promise<SearchIndex | undefined> {
    try {
      const index = this.#deps.discovery.open(await this.#deps.indexer.index(pack.packed));
      this.#built.set(pack, index);
      this.#former.delete(pack);
      this.#deps.vectors?.begin(index);
      return index;
    } catch (error) {
      // A failed attempt costs as much as a successful one, so only a later search retries.
      setTimeout(() => this.#indexes.delete(pack), retryAfterMs).unref();
      this.#deps.onProblem('the tools of a source could not be indexed', { error, tools: pack.size });
      return undefined;
    }
  }
}
