import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../environment.ts';

/** How long after the first Ctrl-C a second one is heard. */
const momentMs = 1_500;

/** Ctrl-C, of which the first is only a wish to leave. */
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

  /** A question takes the terminal's keys for itself, so it tells of Ctrl-C in its own way. */
  press(): void {
    if (this.#pressed.signal.aborted) this.#again.abort();
    else this.#pressed.abort();
  }

  /** Whether a second Ctrl-C comes within a moment of this call. */
  async secondComes(): Promise<boolean> {
    await sleep(momentMs, undefined, { signal: this.#again.signal }).catch(() => undefined);
    return this.#again.signal.aborted;
  }

  /** Leaves Ctrl-C to what it does by itself. */
  release(): void {
    this.#signals.off('SIGINT', this.#listener);
  }

  readonly #listener = () => this.press();
}
