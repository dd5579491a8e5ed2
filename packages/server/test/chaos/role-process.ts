import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RoleSettings } from './role.program.ts';

export const packages = fileURLToPath(new URL('../../../', import.meta.url));
const program = fileURLToPath(new URL('../../dist/test/chaos/role.program.js', import.meta.url));

/** Running processes. None may outlive the tests. */
const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** A daemon, server or worker in a process that tests kill and stop. */
export class RoleProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  #output = '';
  #errors = '';

  constructor(settings: Omit<RoleSettings, 'packages'>) {
    const child = spawn(process.execPath, [program, JSON.stringify({ ...settings, packages })], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    alive.add(child);
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (chunk) => {
      this.#output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      this.#errors += chunk;
    });
    this.ended = new Promise((resolve) =>
      child.once('exit', (code, signal) => {
        alive.delete(child);
        resolve({ code, signal });
      }),
    );
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return !alive.has(this.#child);
  }

  /** Waits for a log line with this message and returns it. */
  async waitForLog(message: string, withinMs = 90_000): Promise<Record<string, unknown>> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const entry = this.logEntries().find(({ msg }) => msg === message);
      if (entry) return entry;
      if (this.hasEnded || Date.now() > deadline)
        throw new Error(`The process did not log "${message}":\n${this.tail()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  logEntries(): Record<string, unknown>[] {
    return this.#output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** The last warnings and errors. */
  tail(): string {
    const problems = this.#output.split('\n').filter((line) => !line.includes('"level":"info"'));
    return [...problems.slice(-20), this.#errors.slice(-4_000)].join('\n');
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** Ends it with SIGTERM. */
  async terminate() {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  /** Stops it, as a closed laptop does. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }
}
