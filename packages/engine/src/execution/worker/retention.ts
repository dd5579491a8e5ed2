import type { Clock } from '../../clock.ts';
import type { Store } from '../../ports/store.ts';
import type { Workspaces } from '../../workspace/workspaces.ts';

const everyMs = 3_600_000;
const dayMs = 24 * 3_600_000;
/** Counts are correct unless a process was killed at a bad moment. */
const recountEvery = 24;
/** Small batches, so that other queries are not blocked. */
const atOnce = 100;
/** A process computes no more than about as many in an hour. They take some 50 MB. */
const unusedVectors = { days: 30, most: 100_000, limit: atOnce };

interface Dependencies {
  store: Pick<Store, 'executions' | 'sources' | 'workspaces' | 'usage' | 'vectors'>;
  clock: Clock;
  workspaces: Pick<Workspaces, 'retentionDays'>;
}

/**
 * Deletes finished runs and source events that are older than the retention period of their workspace, and vectors that
 * nobody uses.
 */
export class Retention {
  readonly #store: Dependencies['store'];
  readonly #clock: Clock;
  readonly #workspaces: Dependencies['workspaces'];
  #rounds = 0;
  #callOff: (() => void) | undefined;

  constructor({ store, clock, workspaces }: Dependencies) {
    this.#store = store;
    this.#clock = clock;
    this.#workspaces = workspaces;
  }

  /** First soon after the start, because a laptop may never be on for an hour. */
  start(firstAfterMs = 60_000): void {
    this.#schedule(firstAfterMs);
  }

  stop(): void {
    this.#callOff?.();
    this.#callOff = undefined;
  }

  async removeOld(): Promise<void> {
    for (const workspaceId of await this.#store.workspaces.ids()) {
      const retentionDays = await this.#workspaces.retentionDays(workspaceId);
      const before = new Date(this.#clock.now().getTime() - retentionDays * dayMs);
      while ((await this.#store.executions.removeFinished(workspaceId, before, atOnce)) === atOnce);
      while ((await this.#store.sources.removeEvents(workspaceId, before, atOnce)) === atOnce);
      if (this.#rounds % recountEvery === 0) await this.#store.usage.recount(workspaceId);
    }
    while ((await this.#store.vectors.removeUnused(unusedVectors)) === atOnce);
    this.#rounds += 1;
  }

  #schedule(afterMs: number): void {
    this.#callOff = this.#clock.after(afterMs, () => {
      void this.removeOld()
        .catch(() => {})
        .finally(() => {
          if (this.#callOff) this.#schedule(everyMs);
        });
    });
  }
}
