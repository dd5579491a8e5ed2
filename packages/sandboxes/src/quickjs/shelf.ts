import type { Execution } from './execution.ts';

/**
 * The waiting executions whose memory is kept, as pages. Keeping them only makes waking cheap: what does not fit, or has
 * lain here for long, is forgotten, and its execution is rebuilt from its completions.
 */
export class Shelf {
  private readonly kept = new Map<Execution, { bytes: number; since: number }>();
  private bytes = 0;

  constructor(private readonly limits: { keptBytes: number; dropAfterMs: number }) {}

  get size(): { count: number; bytes: number } {
    return { count: this.kept.size, bytes: this.bytes };
  }

  put(execution: Execution): void {
    if (execution.place.type !== 'kept') return;
    const bytes = execution.place.pages.length;
    this.kept.set(execution, { bytes, since: performance.now() });
    this.bytes += bytes;
    for (const [oldest] of this.kept) {
      if (this.bytes <= this.limits.keptBytes) return;
      this.forget(oldest);
    }
  }

  take(execution: Execution): void {
    this.bytes -= this.kept.get(execution)?.bytes ?? 0;
    this.kept.delete(execution);
  }

  sweep(now: number): void {
    for (const [execution, { since }] of this.kept) {
      if (now - since <= this.limits.dropAfterMs) return;
      this.forget(execution);
    }
  }

  private forget(execution: Execution): void {
    this.take(execution);
    execution.dropPages();
  }
}
