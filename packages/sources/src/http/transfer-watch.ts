export interface TransferLimits {
  totalMs: number;
  /** Timeout between two chunks. */
  idleMs: number;
}

/** Aborts a transfer that takes too long in total or that stalls. */
export class TransferWatch {
  readonly signal: AbortSignal;
  /** The timeout that expired, as part of a sentence. */
  expired: string | undefined;
  readonly #end = new AbortController();
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout;

  constructor(signal: AbortSignal, limits: TransferLimits) {
    this.signal = AbortSignal.any([signal, this.#end.signal]);
    const seconds = (ms: number) => `${ms / 1000} s`;
    const expire = (reason: string) => {
      this.expired = reason;
      this.#end.abort();
    };
    this.#total = setTimeout(() => expire(`it took longer than ${seconds(limits.totalMs)}`), limits.totalMs);
    this.#idle = setTimeout(() => expire(`no data arrived for ${seconds(limits.idleMs)}`), limits.idleMs);
  }

  touch(): void {
    this.#idle.refresh();
  }

  /** Aborts the transfer too. */
  stop(): void {
    this.end();
    this.#end.abort();
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
  }
}
