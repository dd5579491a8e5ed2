import type { Execution, ExecutionEvent } from '@executor/protocol';

/** The outcome of asking. `left` means that nobody here may answer. */
export type AnswerOutcome = 'answered' | 'interrupted' | 'left';

/** Asks the pending questions of a run. `postponed` records questions that the user postponed. */
export type AnswerStep = (
  execution: Execution,
  options: { postponed: Map<string, 'later' | 'browser'>; asking: (ids: string[]) => AbortSignal },
) => Promise<AnswerOutcome>;

/** Why a question is closed: it was answered elsewhere or withdrawn (`settled`), or the command stopped waiting (`left`). */
export type CloseReason = 'settled' | 'left';

/** The question that is open at this terminal. Somebody may answer it elsewhere meanwhile. */
export class OpenQuestion {
  readonly #postponed = new Map<string, 'later' | 'browser'>();
  #ids: string[] = [];
  #abort = new AbortController();

  /** Whether the user has not postponed it here. */
  isNew(id: string): boolean {
    return !this.#postponed.has(id);
  }

  /** Whether the user chose to answer in the browser. */
  inBrowser(): boolean {
    return [...this.#postponed.values()].includes('browser');
  }

  async ask(answer: AnswerStep, execution: Execution): Promise<AnswerOutcome> {
    const asking = (ids: string[]) => {
      this.#ids = ids;
      this.#abort = new AbortController();
      return this.#abort.signal;
    };
    return answer(execution, { postponed: this.#postponed, asking });
  }

  /** Closes the question if an event says that it was answered or withdrawn. */
  handle({ type, data }: ExecutionEvent): void {
    const isOver =
      /^execution\.(completed|failed|cancelled)$/.test(type) ||
      (/^interaction\.(resolved|expired|withdrawn)$/.test(type) &&
        this.#ids.includes(String(data.interactionId)));
    if (type.startsWith('interaction.') && type !== 'interaction.requested')
      this.#postponed.delete(String(data.interactionId));
    if (isOver) this.close('settled');
  }

  /** Closes the open question. */
  close(why: CloseReason): void {
    this.#abort.abort(why);
  }
}
