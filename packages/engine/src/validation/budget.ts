/** Thrown where checking an input would take too long, and caught where the check began. */
export class BudgetSpent extends Error {}

/**
 * What one check may cost, in steps of well under a microsecond. Schemas come from strangers and inputs from code that nobody has read:
 * a few lines of `$ref` can ask for 2^50 steps.
 */
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
