import type { Clock } from '../../clock.ts';
import type { JournalEvent } from '../../ports/journal-event.ts';
import type { CallLogLine, CallProgress } from '../../ports/source.ts';

interface Options {
  index: number;
  clock: Pick<Clock, 'elapsed'>;
  /** Removes credentials. */
  clean(text: string): string;
  record(event: JournalEvent): void;
}

/** Reports of one call in the journal of its run. The journal keeps them for ever, so the other system must not fill it. */
const progressEveryMs = 1_000;
const maxProgress = 200;
const maxLines = 100;
const maxChars = 1_000;

/** Turns the reports of a call in progress into events of its run. */
export class CallReports {
  readonly #options: Options;
  #progressAt: number | undefined;
  #progressCount = 0;
  #lines = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  progress({ done, total, message }: CallProgress): void {
    const { index, clock, record } = this.#options;
    const now = clock.elapsed();
    const isTooSoon = this.#progressAt !== undefined && now - this.#progressAt < progressEveryMs;
    if ((isTooSoon && done !== total) || this.#progressCount >= maxProgress || !Number.isFinite(done)) return;
    this.#progressAt = now;
    this.#progressCount += 1;
    record({
      type: 'call.progress',
      index,
      done,
      ...(total !== undefined && Number.isFinite(total) && { total }),
      ...(message !== undefined && { message: this.#short(message) }),
    });
  }

  log({ level, text }: CallLogLine): void {
    const { index, record } = this.#options;
    this.#lines += 1;
    if (this.#lines <= maxLines) record({ type: 'call.log', index, level, text: this.#short(text) });
    if (this.#lines === maxLines + 1)
      record({ type: 'call.log', index, level: 'warn', text: 'Further messages of this call are not kept.' });
  }

  #short(text: string): string {
    const clean = this.#options.clean(text);
    return clean.length > maxChars ? `${clean.slice(0, maxChars)}…` : clean;
  }
}
