import { type LogLine, printable } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { oneLine } from '../output.ts';
import { style } from '../style.ts';

/**
 * Standard error while a run is watched: log lines and, at a terminal, a spinner below them. While a question is open, the screen is held:
 * lines wait, so that they do not mix with the question.
 */
export class Screen {
  readonly #environment: Environment;
  readonly #spins: boolean;
  #status: (() => string) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #held = false;
  #waitingLines: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#spins = environment.stderr.isTTY === true && environment.variables.TERM !== 'dumb';
  }

  /** Shows a spinner with the text of `status` until `stop` is called. */
  spin(status: () => string): void {
    this.#status = status;
    if (!this.#spins || this.#held || this.#timer) return;
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), 80);
    this.#timer.unref();
  }

  stop(): void {
    this.#status = undefined;
    this.#clear();
  }

  log({ level, text }: Pick<LogLine, 'level' | 'text'>): void {
    this.print(colours[level](printable(text)));
  }

  /** Prints a line above the spinner. */
  print(line: string): void {
    if (this.#held) {
      this.#waitingLines.push(line);
      return;
    }
    const status = this.#status;
    this.#clear();
    this.#environment.writeError(`${line}\n`);
    if (status) this.spin(status);
  }

  /** Keeps the terminal free while a question is open. */
  async hold<Result>(question: () => Promise<Result>): Promise<Result> {
    this.#clear();
    this.#held = true;
    try {
      return await question();
    } finally {
      this.#held = false;
      for (const line of this.#waitingLines.splice(0)) this.print(line);
      if (this.#status) this.spin(this.#status);
    }
  }

  #draw(): void {
    const room = Math.max(20, (this.#environment.stderr.columns || 80) - 3);
    const frame = frames[this.#frame++ % frames.length];
    this.#environment.writeError(
      `\r\u001b[K${style.cyan(frame ?? '')} ${oneLine(this.#status?.() ?? '', room)}`,
    );
  }

  #clear(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#environment.writeError('\r\u001b[K');
  }
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

const plain = (text: string) => text;
const colours: Record<LogLine['level'], (text: string) => string> = {
  debug: style.dim,
  info: plain,
  log: plain,
  warn: style.yellow,
  error: style.red,
};
