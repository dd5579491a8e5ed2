export interface TransferLimits {
  totalMs: number;
  /** Between two pieces. */
  idleMs: number;
}

/** Ends what takes too long altogether, and what stands still. */
export class TransferWatch {
  readonly signal: AbortSignal;
  /** What took too long, as a part of a sentence. */
  passed: string | undefined;
  readonly #end = new AbortController();
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout;

  constructor(signal: AbortSignal, limits: TransferLimits) {
    this.signal = AbortSignal.any([signal, this.#end.signal]);
    const seconds = (ms: number) => `${ms / 1000} s`;
    const pass = (what: string) => {
      this.passed = what;
      this.#end.abort();
    };
    this.#total = setTimeout(() => pass(`it took longer than ${seconds(limits.totalMs)}`), limits.totalMs);
    this.#idle = setTimeout(() => pass(`nothing came for ${seconds(limits.idleMs)}`), limits.idleMs);
  }

  moved(): void {
    this.#idle.refresh();
  }

  /** Ends the transfer too. */
  stop(): void {
    this.end();
    this.#end.abort();
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
  }
}
