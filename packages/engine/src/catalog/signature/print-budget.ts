/** Thrown if printing takes too many steps. */
export class PrintBudgetSpent extends Error {}

interface Limits {
  /** Steps of one attempt to print a text in a certain style. */
  perAttempt: number;
  total: number;
}

/**
 * The maximum cost of printing one tool, in steps of about a microsecond. Documents are untrusted, and `depth` multiplies the number of types.
 * The cost depends on the schemas only, so that a text is the same whenever and wherever it is printed.
 */
export class PrintBudget {
  readonly #perAttempt: number;
  #total: number;
  #attempt: number;

  constructor({ perAttempt, total }: Limits) {
    this.#perAttempt = perAttempt;
    this.#total = total;
    this.#attempt = Math.min(perAttempt, total);
  }

  /** Whether nothing is left for another attempt. */
  get isSpent(): boolean {
    return this.#total <= 0;
  }

  startAttempt(): void {
    this.#attempt = Math.min(this.#perAttempt, this.#total);
  }

  spend(steps: number): void {
    this.#attempt -= steps;
    this.#total -= steps;
    if (this.#attempt < 0) throw new PrintBudgetSpent('Printing takes too long.');
  }
}

/** The result of printing, or of `otherwise` if the budget did not suffice. */
export function within<Result, Other>(print: () => Result, otherwise: () => Other): Result | Other {
  try {
    return print();
  } catch (error) {
    if (error instanceof PrintBudgetSpent) return otherwise();
    throw error;
  }
}

/** Printing on the server's thread: about a millisecond. */
export function smallBudget(): PrintBudget {
  return new PrintBudget({ perAttempt: 3_000, total: 3_000 });
}

/** Printing on a thread of its own. */
export function fullBudget(): PrintBudget {
  return new PrintBudget({ perAttempt: 200_000, total: 200_000 });
}
