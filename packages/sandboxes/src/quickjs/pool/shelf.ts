import type { SandboxRun } from '../run/sandbox-run.ts';

/**
 * Keeps the memory pages of waiting runs, so that waking them is cheap. Pages that do not fit or are too old are dropped. Their runs are
 * then rebuilt from their completions.
 */
export class Shelf {
  readonly #kept = new Map<SandboxRun, { bytes: number; since: number }>();
  #bytes = 0;
  readonly #limits: { keptBytes: number; dropAfterMs: number };

  constructor(limits: { keptBytes: number; dropAfterMs: number }) {
    this.#limits = limits;
  }

  get size(): { count: number; bytes: number } {
    return { count: this.#kept.size, bytes: this.#bytes };
  }

  put(run: SandboxRun): void {
    if (run.vm.type !== 'kept') return;
    const bytes = run.vm.pages.length;
    this.#kept.set(run, { bytes, since: performance.now() });
    this.#bytes += bytes;
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= this.#limits.keptBytes) return;
      this.#forget(oldest);
    }
  }

  take(run: SandboxRun): void {
    this.#bytes -= this.#kept.get(run)?.bytes ?? 0;
    this.#kept.delete(run);
  }

  sweep(now: number): void {
    for (const [run, { since }] of this.#kept) {
      if (now - since <= this.#limits.dropAfterMs) return;
      this.#forget(run);
    }
  }

  #forget(run: SandboxRun): void {
    this.take(run);
    run.dropPages();
  }
}
