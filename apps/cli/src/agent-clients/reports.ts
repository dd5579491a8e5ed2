import { ExecutorError, printable, toErrorBody, toExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { style } from '../style.ts';
import type { AgentClient } from './agent-client.ts';
import type { Change } from './preview.ts';

/** The outcome for one client. */
export interface Report {
  client: AgentClient;
  state: 'connected' | 'unchanged' | 'planned' | 'disconnected' | 'absent';
  path?: string;
  transport?: 'stdio' | 'http';
  dialog?: boolean;
  keyId?: string | undefined;
  backup?: string | undefined;
  changes?: Change[];
}

interface Previewed {
  client: AgentClient;
  state?: string;
  dialog?: boolean;
}

/** Reports the outcome for each client. A failure does not stop the others, but sets the exit code. */
export class Reports {
  readonly #environment: Environment;
  readonly #options: { json?: boolean };
  readonly #items: unknown[] = [];
  #exitCode = 0;

  constructor(environment: Environment, options: { json?: boolean }) {
    this.#environment = environment;
    this.#options = options;
  }

  async attempt(client: AgentClient, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (thrown) {
      const error = toExecutorError(thrown);
      if (error.code === 'internal') throw thrown;
      this.#exitCode = Math.max(this.#exitCode, ExecutorError.exitCode(error.code));
      this.#items.push({ client: client.id, state: 'failed', ...toErrorBody(error) });
      if (!this.#options.json)
        this.#environment.printError(`${style.red('✗')} ${client.name}: ${printable(error.message)}`);
    }
  }

  /** The text of the file is untrusted, so it is escaped. */
  preview({ client, state, dialog }: Previewed, path: string, changes: Change[]): void {
    if (this.#options.json) return;
    this.#environment.print(`${style.bold(client.name)}  ${printable(path)}`);
    if (state === 'foreign')
      this.#environment.print(
        style.yellow(
          'The file has an entry "executor" that this installation did not write. It will be replaced.',
        ),
      );
    if (state === 'changed')
      this.#environment.print(
        style.yellow('The entry "executor" was changed after Executor wrote it. It will be replaced.'),
      );
    if (dialog) this.#environment.print(style.yellow('Its dialog may approve calls.'));
    for (const { sign, line, text } of changes) {
      const shown = `${String(line).padStart(5)} ${sign} ${printable(text)}`;
      this.#environment.print(sign === '+' ? style.green(shown) : style.red(shown));
    }
  }

  add({ client, ...report }: Report): void {
    this.#items.push({ client: client.id, name: client.name, ...report });
    if (this.#options.json) return;
    const { path = '', state, backup } = report;
    const sentence = sentences[state](client.name, printable(path));
    if (sentence) this.#environment.print(`${style.green('✓')} ${sentence}`);
    if (backup) this.#environment.print(style.dim(`  backup: ${printable(backup)}`));
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  end(notes: string[]): void {
    this.#environment.exitCode = this.#exitCode;
    if (this.#options.json) this.#environment.printJson({ items: this.#items, notes });
    else if (!this.isEmpty)
      for (const note of notes) this.#environment.printError(style.yellow(printable(note)));
  }
}

const sentences: Record<Report['state'], (name: string, path: string) => string> = {
  connected: (name) => `${name} is connected. Restart it to use Executor.`,
  unchanged: (name, path) => `${name} is already connected (${path}).`,
  planned: () => '',
  disconnected: (name, path) => `${name} is disconnected (${path}).`,
  absent: (name) => `${name} is not connected to this installation, so there is nothing to undo.`,
};
