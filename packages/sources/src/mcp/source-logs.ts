import type { Clock, SourceLogLine } from '@executor/engine';

const maxLines = 1_000;
const maxChars = 256 * 1024;
const maxSources = 200;

/** The latest lines of each source, within a limit of memory. */
export class SourceLogs {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logs = new Map<string, { lines: SourceLogLine[]; chars: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  add(sourceId: string, text: string): void {
    const log = this.#logs.get(sourceId) ?? { lines: [], chars: 0 };
    this.#logs.delete(sourceId);
    this.#logs.set(sourceId, log);
    log.lines.push({ at: this.#clock.now(), text });
    log.chars += text.length;
    if (log.lines.length > maxLines * 1.1 || log.chars > maxChars * 1.1) trim(log);
    const [oldest] = this.#logs.keys();
    if (this.#logs.size > maxSources && oldest !== undefined) this.#logs.delete(oldest);
  }

  of(sourceId: string): SourceLogLine[] {
    return [...(this.#logs.get(sourceId)?.lines ?? [])];
  }
}

function trim(log: { lines: SourceLogLine[]; chars: number }): void {
  let from = Math.max(0, log.lines.length - maxLines);
  for (const { text } of log.lines.splice(0, from)) log.chars -= text.length;
  from = 0;
  while (log.chars > maxChars) log.chars -= log.lines[from++]?.text.length ?? 0;
  log.lines.splice(0, from);
}
