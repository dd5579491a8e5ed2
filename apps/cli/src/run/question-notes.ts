import { type Execution, printable } from '@executor/protocol';
import type { Screen } from './screen.ts';

/** How long a run may take to stop after a question. Then the question is reported with its end. */
export const noteAfterMs = 1_000;

/** Prints the questions of a run that stays in its process until they are answered, such as those of an MCP server during a call. */
export class QuestionNotes {
  readonly #screen: Screen;
  /** When each question is printed. Infinity if it has been. */
  readonly #due = new Map<string, number>();

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Prints the questions that are due. Returns whether others will be. */
  print({ interactions }: Execution, now = performance.now()): boolean {
    for (const { id, kind, prompt, url } of interactions) {
      if (id === undefined) continue;
      const due = this.#due.get(id) ?? now + noteAfterMs;
      this.#due.set(id, due > now ? due : Number.POSITIVE_INFINITY);
      if (due <= now)
        this.#screen.print(
          printable(`The run needs an answer to continue.\n  ${kind}: ${prompt}\n    ${url}`),
        );
    }
    return [...this.#due.values()].some(Number.isFinite);
  }
}
