import type { Catalog } from '../catalog/catalog.ts';
import type { Clock } from '../clock.ts';
import type { Source } from '../ports/source.ts';
import type { SourceRow } from '../ports/source-store.ts';

interface Dependencies {
  kinds: readonly Source[];
  catalog: Pick<Catalog, 'known'>;
  clock: Pick<Clock, 'after'>;
  stopping: AbortSignal;
  refresh(row: SourceRow): Promise<unknown>;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** A system that reports changes all the time must not keep Executor busy. */
const restMs = 5_000;

/** Refreshes sources whose systems report that their tools have changed. Notices during a refresh lead to one more refresh. */
export class ChangeNotices {
  readonly #deps: Dependencies;
  /** Sources that are refreshed or rest after it, and whether a notice has arrived meanwhile. */
  readonly #busy = new Map<string, { again: boolean }>();

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
    for (const source of dependencies.kinds) source.onChange?.((sourceId) => this.#note(sourceId));
  }

  #note(sourceId: string): void {
    const busy = this.#busy.get(sourceId);
    if (busy) busy.again = true;
    else void this.#refresh(sourceId);
  }

  async #refresh(sourceId: string): Promise<void> {
    const { catalog, clock, stopping, refresh, onProblem } = this.#deps;
    const row = catalog.known(sourceId);
    if (row === undefined || stopping.aborted) return;
    const state = { again: false };
    this.#busy.set(sourceId, state);
    await refresh(row).catch((error) => {
      if (!stopping.aborted)
        onProblem('a source that reported a change was not refreshed', { error, sourceId });
    });
    if (stopping.aborted) return;
    const cancel = clock.after(restMs, () => {
      stopping.removeEventListener('abort', cancel);
      this.#busy.delete(sourceId);
      if (state.again) this.#note(sourceId);
    });
    stopping.addEventListener('abort', cancel, { once: true });
  }
}
