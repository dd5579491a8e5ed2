import type { Execution, ExecutionEvent } from '@executor/protocol';

/** What became of what a person was asked. `left`: nobody here may answer. */
export type AnswerOutcome = 'answered' | 'interrupted' | 'left';

/** Asks a person about what a run waits for. Where an answer was put off, it is noted in `put`. */
export type AnswerStep = (
  execution: Execution,
  options: { put: Map<string, 'later' | 'browser'>; asking: (ids: string[]) => AbortSignal },
) => Promise<AnswerOutcome>;

/** Why a question is taken back: it was answered elsewhere or is asked no more, or nobody waits for the answer here any longer. */
export type ClosedBecause = 'settled' | 'left';

/** What is being asked at this terminal, which somebody may answer elsewhere meanwhile. */
export class OpenQuestion {
  readonly #put = new Map<string, 'later' | 'browser'>();
  #ids: string[] = [];
  #abort = new AbortController();

  /** Whether it was not put off here before. */
  isNew(id: string): boolean {
    return !this.#put.has(id);
  }

  /** Whether somebody said that they answer in the browser. */
  inBrowser(): boolean {
    return [...this.#put.values()].includes('browser');
  }

  async ask(answer: AnswerStep, execution: Execution): Promise<AnswerOutcome> {
    const asking = (ids: string[]) => {
      this.#ids = ids;
      this.#abort = new AbortController();
      return this.#abort.signal;
    };
    return answer(execution, { put: this.#put, asking });
  }

  /** Closes the question where an event tells that it was answered, or is no longer asked. */
  heard({ type, data }: ExecutionEvent): void {
    const over =
      /^execution\.(completed|failed|cancelled)$/.test(type) ||
      (/^interaction\.(resolved|expired|withdrawn)$/.test(type) &&
        this.#ids.includes(String(data.interactionId)));
    if (type.startsWith('interaction.') && type !== 'interaction.requested')
      this.#put.delete(String(data.interactionId));
    if (over) this.close('settled');
  }

  /** Takes an open question back. */
  close(why: ClosedBecause): void {
    this.#abort.abort(why);
  }
}
