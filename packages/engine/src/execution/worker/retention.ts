import type { Clock } from '../../clock.ts';
import type { Store } from '../../ports/store.ts';
import type { Workspaces } from '../../workspace/workspaces.ts';

const everyMs = 3_600_000;
const dayMs = 24 * 3_600_000;
/** So that removing much does not keep others from the database. */
const atOnce = 100;

interface Dependencies {
  store: Pick<Store, 'executions' | 'sources' | 'workspaces'>;
  clock: Clock;
  workspaces: Pick<Workspaces, 'retentionDays'>;
}

/** Removes runs that finished longer ago than their workspace keeps them, and what the feed tells of sources from before that. */
export class Retention {
  readonly #store: Pick<Store, 'executions' | 'sources' | 'workspaces'>;
  readonly #clock: Clock;
  readonly #workspaces: Dependencies['workspaces'];
  #callOff: (() => void) | undefined;

  constructor({ store, clock, workspaces }: Dependencies) {
    this.#store = store;
    this.#clock = clock;
    this.#workspaces = workspaces;
  }

  /** The first time soon after a start: a laptop may never be on for an hour. */
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
    }
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
