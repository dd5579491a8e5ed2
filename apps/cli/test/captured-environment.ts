import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { Environment, type Output } from '../src/environment.ts';

export interface CapturedOptions {
  variables?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Standard input: its text, or a stream. */
  input?: string | Readable;
  /** Called after each write to standard output or standard error. */
  onOutput?: () => void;
}

/** An environment for commands that run in this process. Its streams are not terminals. Tests read the output from it. */
export class CapturedEnvironment extends Environment {
  declare readonly signals: EventEmitter;
  readonly #out: Capture;
  readonly #err: Capture;

  constructor({
    variables = {},
    cwd = process.cwd(),
    input = '',
    onOutput = () => {},
  }: CapturedOptions = {}) {
    const out = new Capture(onOutput);
    const err = new Capture(onOutput);
    super({
      stdin: typeof input === 'string' ? Readable.from(input === '' ? [] : [Buffer.from(input)]) : input,
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
  readonly stream: Output;
  readonly #chunks: Buffer[] = [];

  constructor(onOutput: () => void) {
    this.stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#chunks.push(chunk);
        onOutput();
        done();
      },
    });
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
