import type { Clock } from '../../clock.ts';
import type { Leased } from '../../ports/execution-store.ts';
import type { Store } from '../../ports/store.ts';

/** How long a suspect is alone. Twice as long for each further process that ended with it, so that a late crash finds it alone too. */
const aloneMs = { first: 1_000, max: 30_000 };
/** A suspect that has executed for so long is no suspect any more. */
const survivalMs = 5 * 60_000;

interface Options {
  clock: Clock;
  store: Pick<Store, 'executions'>;
  /** Other runs may begin again. */
  onEnd(): void;
}

/**
 * # Which run makes processes end
 *
 * A run that was executing when its process died is a *suspect* (`ExecutionStore.noteLosses`). Code cannot end a process on purpose, but
 * it may find a weakness, and after a restart it does the same again. So:
 *
 * 1. A worker takes one suspect at a time, the one that was lost most often first. For a moment it begins no other runs of agents. Runs of
 *    people begin at once.
 * 2. If the process dies while only this run is executing, the run counts as the cause. The second time it is not executed any more
 *    (`CondemnedRun`). Waiting runs, runs of a process that was stopped in good order, and runs of a process that merely slept are not blamed.
 * 3. A run is cleared when it waits, when it ends, or when it has survived for a while.
 */
export class Probation {
  readonly #options: Options;
  #current: object | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether a suspect is to be alone. */
  get isOn(): boolean {
    return this.#current !== undefined;
  }

  /** The run begins. Returns a function to call when it has left this process. */
  begin({ execution: { id }, epoch, losses }: Leased, owner: string): () => void {
    if (losses === undefined) return () => {};
    const { clock, store } = this.#options;
    const suspect = {};
    this.#current = suspect;
    const end = () => {
      if (this.#current !== suspect) return;
      this.#current = undefined;
      this.#options.onEnd();
    };
    const ms = Math.min(aloneMs.max, aloneMs.first * 2 ** (losses.all - 1));
    const cancelAlone = clock.after(ms, end);
    const cancelSurvival = clock.after(survivalMs, () => {
      void store.executions.clearLosses({ id, owner, epoch }).catch(() => {});
    });
    return () => {
      cancelAlone();
      cancelSurvival();
      end();
    };
  }
}
