import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { WriteStream } from 'node:tty';
import { type Folders, resolveFolders } from '@executor/home';
import { printable } from '@executor/protocol';
import { jsonText } from './output.ts';
import { style } from './style.ts';
import { tableLines } from './table.ts';

/** Standard input, as a command may use it. Only a terminal has a raw mode. */
export type Input = NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** Standard output or standard error, as a command may use it. */
export type Output = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>;

/** Where the interrupt signal arrives: the process, or a stand-in. */
type Signals = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

/** Each stream is read from here when it is first used, because Node opens a standard stream when a program first reads its property. */
interface Streams {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}

interface EnvironmentOptions extends Streams {
  variables: NodeJS.ProcessEnv;
  cwd: string;
  signals: Signals;
  exit?: () => void;
  now?: () => number;
}

/**
 * Everything that a command takes from the process it runs in: streams, environment variables, working folder, clock, signals and the
 * exit code. Commands get it as their first argument and use nothing else of `process` for these, so that tests run many commands in
 * one process. Only main.ts connects it to the real process.
 */
export class Environment {
  readonly variables: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly signals: Signals;
  /** Ends the process at once, without waiting for work in flight. */
  readonly exit: () => void;
  readonly now: () => number;
  exitCode = 0;
  readonly #streams: Streams;

  constructor(options: EnvironmentOptions) {
    this.#streams = options;
    this.variables = options.variables;
    this.cwd = options.cwd;
    this.signals = options.signals;
    this.exit = options.exit ?? (() => {});
    this.now = options.now ?? Date.now;
  }

  get stdin(): Input {
    return this.#streams.stdin;
  }

  get stdout(): Output {
    return this.#streams.stdout;
  }

  get stderr(): Output {
    return this.#streams.stderr;
  }

  /** The user's home folder. */
  get home(): string {
    return this.variables.HOME || homedir();
  }

  /** The folders of the installation that the variables select. */
  get folders(): Folders {
    const { EXECUTOR_HOME } = this.variables;
    const variables = EXECUTOR_HOME
      ? { ...this.variables, EXECUTOR_HOME: this.path(EXECUTOR_HOME) }
      : this.variables;
    return resolveFolders(variables, { platform: process.platform, homedir: this.home });
  }

  /** The full path of a file that the user named. */
  path(name: string): string {
    return resolve(this.cwd, name);
  }

  /** True if a user sits at a terminal. With any stream redirected, nobody can answer a prompt. */
  get isInteractive(): boolean {
    return Boolean(this.stdin.isTTY && this.stdout.isTTY && this.stderr.isTTY);
  }

  /** All of standard input. It can be read once. */
  readInput(): Promise<string> {
    return text(this.stdin);
  }

  /** Prints a line of the result. */
  print(line = ''): void {
    this.#write(this.stdout, `${line}\n`);
  }

  /** Prints a value for scripts. */
  printJson(value: unknown): void {
    this.print(jsonText(value, 2));
  }

  /** Prints rows as aligned columns, cut to the width of the terminal. A script gets them whole. */
  printTable(head: string[], rows: string[][]): void {
    const { isTTY, columns } = this.stdout;
    const [first = '', ...others] = tableLines(head, rows, (isTTY && columns) || undefined);
    this.print(style.dim(first));
    for (const line of others) this.print(line);
  }

  /** Prints a line to standard error. */
  printError(line: string): void {
    this.#write(this.stderr, `${line}\n`);
  }

  /** Prints untrusted text to standard error. */
  note(line: string): void {
    this.printError(printable(line));
  }

  /** Writes to standard error without a new line. */
  writeError(part: string): void {
    this.#write(this.stderr, part);
  }

  /** Writes bytes unchanged, and waits until the stream has taken them. */
  writeBytes(bytes: Uint8Array | string): Promise<void> {
    return new Promise((done, failed) => {
      this.stdout.write(bytes, (error) => (error ? failed(error) : done()));
    });
  }

  /** True if a stream shows colours: a terminal does, unless NO_COLOR or TERM say otherwise. */
  hasColors(stream: Output): boolean {
    const { NO_COLOR, FORCE_COLOR, TERM } = this.variables;
    if (NO_COLOR) return false;
    return Boolean(FORCE_COLOR) || (stream.isTTY === true && TERM !== 'dumb');
  }

  #write(stream: Output, part: string): void {
    stream.write(this.hasColors(stream) ? part : part.replace(colorCodes, ''));
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are written with the escape character
const colorCodes = /\u001b\[\d+m/g;
