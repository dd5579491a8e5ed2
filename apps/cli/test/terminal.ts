import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { Environment, type Output } from '../src/environment.ts';
import { program, runCommandLine } from './built-program.ts';
import { withoutUnset } from './running-command.ts';

export const keys = { enter: '\r', down: '\u001b[B', ctrlC: '\u0003' };

/** The output of a terminal. Tests wait for text in it. */
abstract class Screen {
  /** Everything that was shown, with its control characters. */
  raw = '';
  abstract readonly exit: Promise<number | null>;
  #position = 0;
  #isOver = false;
  #onChange = () => {};

  abstract type(text: string): void;

  /** All that was shown, as text. */
  get text(): string {
    return stripVTControlCharacters(this.raw);
  }

  /** Waits until something is shown after the text of the previous call. Returns all that was shown in between. */
  async until(pattern: string | RegExp, withinMs = 60_000): Promise<string> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const shown = this.text.slice(this.#position);
      const index = typeof pattern === 'string' ? shown.indexOf(pattern) : shown.search(pattern);
      if (index >= 0) {
        this.#position += index + 1;
        return shown;
      }
      const left = deadline - Date.now();
      if (left <= 0 || this.#isOver) throw new Error(`"${pattern}" was not shown. Shown was:\n${shown}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#onChange = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  protected show(text: string): void {
    this.raw += text;
    this.#onChange();
  }

  protected end(): void {
    this.#isOver = true;
    this.#onChange();
  }
}

/**
 * A command in this process at a terminal. The terminal has the properties that commands can notice: raw mode, echo, Ctrl-C as a signal
 * unless the mode is raw, and input that waits until it is read.
 */
export class Terminal extends Screen {
  readonly exit: Promise<number>;
  readonly #input = new TerminalInput();
  readonly #signals = new EventEmitter();

  constructor(args: string[], env: NodeJS.ProcessEnv) {
    super();
    const environment = new Environment({
      stdin: this.#input,
      stdout: this.#output(),
      stderr: this.#output(),
      variables: withoutUnset({ ...env, TERM: 'xterm' }),
      cwd: process.cwd(),
      signals: this.#signals,
    });
    this.exit = runCommandLine(args, environment).finally(() => this.end());
  }

  type(text: string): void {
    if (this.#input.isRaw) {
      this.#input.write(text);
    } else if (text.includes(keys.ctrlC)) {
      this.#signals.emit('SIGINT');
    } else {
      this.show(text);
      this.#input.write(text.replaceAll('\r', '\n'));
    }
  }

  #output(): Output {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.show(chunk.toString('utf8').replaceAll('\n', '\r\n'));
        done();
      },
    });
    return Object.assign(stream, { isTTY: true, columns: 100, rows: 50 });
  }
}

class TerminalInput extends PassThrough {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }
}

const terminalProgram = fileURLToPath(new URL('./terminal.py', import.meta.url));

/** The program in a process of its own, at a terminal of the operating system. It needs python3. */
export class ProcessTerminal extends Screen {
  readonly exit: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(args: string[], env: NodeJS.ProcessEnv) {
    super();
    this.#child = spawn('python3', [terminalProgram, process.execPath, program, ...args], {
      env: { ...env, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.show(chunk));
    this.exit = new Promise((resolve, reject) => {
      this.#child.once('close', resolve);
      this.#child.once('error', (cause) => reject(new Error('These tests need python3 in PATH.', { cause })));
    });
    this.exit.then(
      () => this.end(),
      () => this.end(),
    );
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  kill(): void {
    this.#child.kill();
  }
}
