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

  /** Pays for a list or object of this size. An object with many keys is a hash table, which costs more for each key. */
  spendOn(part: object, size: number): void {
    const perPart = Array.isArray(part) ? 0.2 : size > 500 ? 2 : 0.5;
    this.spend(1 + size * perPart);
  }
}
