import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../dist/test/attack/', import.meta.url);

/**
 * A program of this folder in a process of its own, so that its work does not delay the person of the test. It prints JSON lines, and ends
 * when its input ends.
 */
export class Program {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(name: string, settings: object = {}) {
    const file = fileURLToPath(new URL(`${name}.program.js`, folder));
    this.#child = spawn(process.execPath, [file, JSON.stringify(settings)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdin.on('error', () => {});
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** The next value that the program prints. */
  async next<Value>(): Promise<Value> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('The program ended without a result.');
    return JSON.parse(value);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  async kill(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
