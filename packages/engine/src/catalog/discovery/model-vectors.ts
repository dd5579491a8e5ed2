import { createHash } from 'node:crypto';
import type { Discovery, SearchedSource, SearchIndex } from '../../ports/discovery.ts';
import type { Embedder, TextVector } from '../../ports/embedder.ts';
import type { Meter } from '../../ports/meter.ts';
import type { Store } from '../../ports/store.ts';
import { executorItself } from '../../resource/account.ts';
import { chargedAccount, chargeTo } from '../../resource/charge.ts';
import { Pace } from '../../resource/pace.ts';

interface Dependencies {
  embedder: Embedder;
  store: { vectors: Store['vectors'] };
  discovery: Pick<Discovery, 'requestTexts'>;
  onProblem(message: string, details: Record<string, unknown>): void;
  /** The pause after the first failure. Each further one doubles it. */
  firstRetryMs?: number;
}

/** After so many texts, their vectors are saved, and it is the turn of another source. */
const textsAtOnce = 32;
/** Rows of one query. */
const readAtOnce = 1_000;
const usualRetryMs = 30_000;
const maxRetryMs = 3_600_000;
const dayMs = 24 * 3_600_000;
/** How long a search waits for the model, which may have to start. */
const waitMs = 3_000;
const maxKnownTexts = 1_000;

/**
 * The vectors that a language model computes for search.
 *
 * - Those of tools are computed in the background, and kept in the database by the hash of their
 *   texts. So each is computed once, by any process. A source is compared by its vectors as soon as it has all of them.
 * - Those of requests are computed before the search. Recent ones are kept in memory.
 */
export class ModelVectors {
  readonly #deps: Dependencies;
  readonly #usedAt = new WeakMap<SearchIndex, number>();
  /** The vectors of texts of recent requests, the oldest first. */
  readonly #known = new Map<string, TextVector>();

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  /** Gives an index its vectors, as soon as they are computed. */
  begin(index: SearchIndex, failures = 0): void {
    if (index.texts.length === 0) return;
    this.#usedAt.set(index, Date.now());
    void chargeTo(executorItself, () => this.#prepare(index))
      .catch((error) => this.#report(error))
      .then((isDone) => {
        if (!isDone) this.#retry(new WeakRef(index), failures);
      });
  }

  /** A source that is refreshed meanwhile gets a new index. The old one must not stay in memory for this. */
  #retry(index: WeakRef<SearchIndex>, failures: number): void {
    const retryMs = Math.min(maxRetryMs, (this.#deps.firstRetryMs ?? usualRetryMs) * 2 ** failures);
    setTimeout(() => {
      const used = index.deref();
      if (used) this.begin(used, failures + 1);
    }, retryMs).unref();
  }

  /** The vectors of the texts of a request; undefined if the model does not answer in time, or no source has vectors. */
  async ofRequest(
    sources: readonly SearchedSource[],
    request: string,
    meter: Meter,
  ): Promise<ReadonlyMap<string, TextVector> | undefined> {
    for (const { index } of sources) this.#use(index);
    if (!sources.some(({ index }) => index.hasVectors)) return undefined;
    const texts = meter.measure(() => this.#deps.discovery.requestTexts(sources, request));
    const found = new Map(texts.map((text) => [text, this.#known.get(text)]));
    const missing = [...found.keys()].filter((text) => found.get(text) === undefined);
    const computed = await this.#deps.embedder.embed(missing, {
      type: 'request',
      owner: chargedAccount().key,
      waitMs,
    });
    if (computed === undefined) return undefined;
    for (const [position, text] of missing.entries()) found.set(text, computed[position]);
    const vectors = found as Map<string, TextVector>;
    for (const [text, vector] of vectors) {
      // Removed first, so that it becomes the newest.
      this.#known.delete(text);
      this.#known.set(text, vector);
    }
    for (const [oldest] of this.#known) if (this.#known.size > maxKnownTexts) this.#known.delete(oldest);
    return vectors;
  }

  /** Whether the index has all vectors now. The ones that are missing are computed and saved. */
  async #prepare(index: SearchIndex): Promise<boolean> {
    const hashes = await hashesOf(index.texts);
    const texts = new Map(hashes.map((hash, tool) => [hash, index.texts[tool] as string]));
    const vectors = await this.#stored([...texts.keys()]);
    const missing = fromAnywhere([...texts].filter(([hash]) => !vectors.has(hash)));
    for (let start = 0; start < missing.length; start += textsAtOnce) {
      const computed = await this.#compute(missing.slice(start, start + textsAtOnce));
      if (computed === undefined) return false;
      for (const [hash, vector] of computed) vectors.set(hash, vector);
    }
    index.setVectors(hashes.map((hash) => vectors.get(hash) as TextVector));
    return true;
  }

  /** Computes and saves vectors, except those that another process has saved meanwhile. */
  async #compute(texts: [hash: string, text: string][]): Promise<Map<string, TextVector> | undefined> {
    const { embedder, store } = this.#deps;
    const saved = await this.#stored(texts.map(([hash]) => hash));
    const missing = texts.filter(([hash]) => !saved.has(hash));
    const computed = await embedder.embed(
      missing.map(([, text]) => text),
      { type: 'background' },
    );
    if (computed === undefined) return undefined;
    const vectors = new Map(missing.map(([hash], position) => [hash, computed[position] as TextVector]));
    await store.vectors.save(embedder.model, vectors);
    return new Map([...saved, ...vectors]);
  }

  async #stored(hashes: readonly string[]): Promise<Map<string, TextVector>> {
    const { embedder, store } = this.#deps;
    const found = new Map<string, TextVector>();
    for (let start = 0; start < hashes.length; start += readAtOnce) {
      const read = await store.vectors.find(embedder.model, hashes.slice(start, start + readAtOnce));
      for (const [hash, vector] of read) found.set(hash, vector);
    }
    return found;
  }

  /** Vectors that nobody uses are deleted, so a use is noted once a day. */
  #use(index: SearchIndex): void {
    const usedAt = this.#usedAt.get(index);
    if (usedAt === undefined || Date.now() - usedAt < dayMs) return;
    this.#usedAt.set(index, Date.now());
    chargeTo(executorItself, async () => this.#stored(await hashesOf(index.texts))).catch((error) =>
      this.#report(error),
    );
  }

  #report(error: unknown): void {
    this.#deps.onProblem('the vectors of tools could not be read or saved', { error });
  }
}

/** Processes that begin at once begin with different texts, so that few are computed twice. */
function fromAnywhere<Item>(items: Item[]): Item[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

/** A large source has so many texts that other work must pass in between. */
async function hashesOf(texts: readonly string[]): Promise<string[]> {
  const pace = new Pace();
  const hashes: string[] = [];
  for (const text of texts) {
    hashes.push(hashOf(text));
    if (pace.isDue) await pace.rest();
  }
  return hashes;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
