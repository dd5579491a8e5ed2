import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { program } from './home.ts';

const terminalProgram = fileURLToPath(new URL('./terminal.py', import.meta.url));

export const hasTerminal = spawnSync('python3', ['-c', 'import pty']).status === 0;

export const keys = { enter: '\r', down: '\u001b[B', ctrlC: '\u0003' };

/** The built command line at a terminal of its own: keys go in, and what is shown can be waited for. */
export class Terminal {
  /** Everything that was shown, as it went to the terminal. */
  raw = '';
  readonly exit: Promise<number | null>;
  readonly #child: ChildProcess;
  #seen = 0;
  #ended = false;
  #onData = () => {};

  constructor(args: string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn('python3', [terminalProgram, process.execPath, program, ...args], {
      env: { ...env, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.raw += chunk;
      this.#onData();
    });
    this.exit = new Promise((resolve) => this.#child.once('close', resolve));
    this.exit.then(() => {
      this.#ended = true;
      this.#onData();
    });
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  kill(): void {
    this.#child.kill();
  }

  /** Waits until something is shown after what was waited for before; answers with all that was shown in between. */
  async until(pattern: string | RegExp, withinMs = 20_000): Promise<string> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const shown = stripVTControlCharacters(this.raw).slice(this.#seen);
      const index = typeof pattern === 'string' ? shown.indexOf(pattern) : shown.search(pattern);
      if (index >= 0) {
        this.#seen += index + 1;
        return shown;
      }
      const left = deadline - Date.now();
      if (left <= 0 || this.#ended) throw new Error(`"${pattern}" was not shown. Shown was:\n${shown}`);
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#onData = resolve;
        }),
        new Promise((resolve) => setTimeout(resolve, Math.min(left, 200))),
      ]);
    }
  }

  /** All that was shown, as text. */
  get text(): string {
    return stripVTControlCharacters(this.raw);
  }
}
