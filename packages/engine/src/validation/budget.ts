/** Thrown if checking an input takes too long, and caught by the validator. */
export class BudgetSpent extends Error {}

/** The maximum cost of one check, in steps of well under a microsecond. Schemas and inputs are untrusted: a few `$ref`s can need 2^50 steps. */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetSpent();
  }
}
