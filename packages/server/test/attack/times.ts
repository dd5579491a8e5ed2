/** How long the steps of one kind took, in milliseconds. */
export class Times {
  readonly #times = new Map<string, number[]>();

  async measure<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await work();
    const times = this.#times.get(step) ?? [];
    times.push(performance.now() - startedAt);
    this.#times.set(step, times);
    return result;
  }

  /** The longest time of each step. */
  get longest(): Record<string, number> {
    return Object.fromEntries([...this.#times].map(([step, times]) => [step, Math.max(...times)]));
  }

  /** One line for each step: how often, the median, and the longest. */
  table(): string {
    const rows = [...this.#times].map(([step, times]) => {
      const sorted = times.toSorted((one, other) => one - other);
      const at = (share: number) => `${sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(0)} ms`;
      return [step, `${times.length}x`, `median ${at(0.5)}`, `p95 ${at(0.95)}`, `longest ${at(1)}`];
    });
    return rows
      .map((row) =>
        row
          .map((cell) => cell.padEnd(24))
          .join('')
          .trimEnd(),
      )
      .join('\n');
  }
}
