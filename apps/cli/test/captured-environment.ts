import { EventEmitter } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { Environment, type Output } from '../src/environment.ts';

export interface CapturedOptions {
  variables?: NodeJS.ProcessEnv;
  cwd?: string;
  /** What standard input holds. */
  input?: string;
}

/** An environment for commands that run in this process: its streams are no terminals, and what is written can be read. */
export class CapturedEnvironment extends Environment {
  readonly #out: Capture;
  readonly #err: Capture;

  constructor({ variables = {}, cwd = process.cwd(), input = '' }: CapturedOptions = {}) {
    const out = new Capture();
    const err = new Capture();
    super({
      stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
      stdout: out.stream,
      stderr: err.stream,
      variables,
      cwd,
      signals: new EventEmitter(),
    });
    this.#out = out;
    this.#err = err;
  }

  get outputText(): string {
    return this.#out.text;
  }

  get errorText(): string {
    return this.#err.text;
  }
}

class Capture {
  readonly #stream = new PassThrough();
  readonly #chunks: Buffer[] = [];

  constructor() {
    this.#stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
  }

  get stream(): Output {
    return this.#stream;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
