import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';

/** How long after the first Ctrl-C a second one cancels the run. */
const momentMs = 1_500;

/** Handles Ctrl-C. The first one stops watching, the second one cancels the run. */
export class Interrupt {
  readonly #signals: Environment['signals'];
  readonly #pressed = new AbortController();
  #again = new AbortController();

  constructor({ signals }: Pick<Environment, 'signals'>) {
    this.#signals = signals;
    signals.on('SIGINT', this.#listener);
  }

  /** Aborted by the first Ctrl-C. */
  get signal(): AbortSignal {
    return this.#pressed.signal;
  }

  /** A prompt reads the keys of the terminal, so it reports Ctrl-C with this method. */
  press(): void {
    if (this.#pressed.signal.aborted) this.#again.abort();
    else this.#pressed.abort();
  }

  /** Whether a second Ctrl-C arrives shortly after this call. */
  async isPressedAgain(): Promise<boolean> {
    await sleep(momentMs, undefined, { signal: this.#again.signal }).catch(() => undefined);
    return this.#again.signal.aborted;
  }

  /** Restores the default behaviour of Ctrl-C. */
  release(): void {
    this.#signals.off('SIGINT', this.#listener);
  }

  readonly #listener = () => this.press();
}
