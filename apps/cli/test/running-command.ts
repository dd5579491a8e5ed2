import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { program, runCommandLine } from './built-program.ts';
import { CapturedEnvironment } from './captured-environment.ts';

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  env: NodeJS.ProcessEnv;
  cwd?: string | undefined;
  input?: string | Readable | undefined;
}

export interface ProcessOptions {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  input?: string;
}

/** A command with growing output. Tests wait for text in it. */
abstract class Running {
  abstract readonly stdout: string;
  abstract readonly stderr: string;
  abstract readonly ended: Promise<Outcome>;
  #isOver = false;
  #onChange = () => {};

  async untilOutput(text: string): Promise<void> {
    while (!this.stdout.includes(text)) await this.#change(text);
  }

  async untilError(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await this.#change(text);
  }

  /** Waits for whole lines of standard output. */
  async untilLines(count: number): Promise<void> {
    while (this.stdout.split('\n').length <= count) await this.#change(`${count} lines`);
  }

  protected changed(): void {
    this.#onChange();
  }

  protected end(code: number | null): Outcome {
    this.#isOver = true;
    this.#onChange();
    return { code, stdout: this.stdout, stderr: this.stderr };
  }

  #change(text: string): Promise<void> {
    if (this.#isOver) throw new Error(`The command ended without "${text}": ${this.stdout}${this.stderr}`);
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }
}

/** A command in this process, from its start to its end. */
export class RunningCommand extends Running {
  readonly ended: Promise<Outcome>;
  readonly #environment: CapturedEnvironment;

  constructor(args: string[], { env, cwd, input }: CommandOptions) {
    super();
    this.#environment = new CapturedEnvironment({
      variables: withoutUnset(env),
      onOutput: () => this.changed(),
      ...(cwd !== undefined && { cwd }),
      ...(input !== undefined && { input }),
    });
    this.ended = runCommandLine(args, this.#environment).then((code) => this.end(code));
  }

  get stdout(): string {
    return this.#environment.outputText;
  }

  get stderr(): string {
    return this.#environment.errorText;
  }

  /** Delivers the signal of Ctrl-C. */
  interrupt(): void {
    this.#environment.signals.emit('SIGINT');
  }
}

/** The real program in a process of its own. */
export class RunningProcess extends Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Outcome>;
  stdout = '';
  stderr = '';

  constructor(args: string[], { input = '', ...options }: ProcessOptions) {
    super();
    const child = spawn(process.execPath, [program, ...args], { ...options, stdio: 'pipe' });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.stdout += chunk;
      this.changed();
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
      this.changed();
    });
    child.stdin.end(input);
    this.child = child;
    this.ended = new Promise((resolve) => child.once('close', (code) => resolve(this.end(code))));
  }
}

/** Removes undefined variables, as the start of a process does. */
export function withoutUnset(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}
