import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { resolve as absolute } from 'node:path';
import type { TextVector } from '@executor/engine';
import type { FromModel, ToModel } from './process/messages.ts';

export interface ModelProcessOptions {
  /** The folder of the program. */
  folder: string;
  /** The folder in which the packages of the model are installed. */
  modelFolder: string;
  /** Above this memory the process should be replaced. */
  megabytes?: number;
  /** How long the start and one computation may take. */
  startMs?: number;
  deadlineMs?: number;
}

export type Computation =
  | { type: 'computed'; vectors: TextVector[]; isTooLarge: boolean }
  | { type: 'failed'; reason: string };

const usual = { megabytes: 768, startMs: 60_000, deadlineMs: 60_000 };
const heapMegabytes = 256;

/**
 * One process of a model, with low priority. It has an empty environment, and can read nothing but the model and its own
 * program. It computes one list of texts at a time, and is useless after a failure.
 */
export class ModelProcess {
  readonly #options: Required<ModelProcessOptions>;
  readonly #child: ChildProcess;
  #settle: ((computation: Computation) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: string | undefined;
  #isReady = false;
  #count = 0;

  constructor(options: ModelProcessOptions) {
    this.#options = { ...usual, ...options };
    const child = spawn(process.execPath, programArguments(this.#options), {
      env: environment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.#child = child;
    child.on('message', (message: FromModel) => this.#receive(message));
    child.on('error', () => this.#fail('its process cannot be started'));
    child.on('exit', (code, signal) => this.#fail(`its process ended (${signal ?? code})`));
    // A server that stops does not wait for the model.
    child.unref();
    child.channel?.unref();
    lowerPriority(child.pid);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  compute(texts: readonly string[]): Promise<Computation> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      if (this.#failure !== undefined) return this.#fail(this.#failure);
      this.#count += 1;
      this.#failAfter(this.#isReady ? this.#options.deadlineMs : this.#options.startMs);
      this.#child.send({ id: this.#count, texts } satisfies ToModel, (error) => {
        if (error) this.#fail('its process does not respond');
      });
    });
  }

  kill(): void {
    clearTimeout(this.#timer);
    this.#settle = undefined;
    this.#child.kill('SIGKILL');
  }

  #receive(message: FromModel): void {
    if (message.type === 'ready') {
      this.#isReady = true;
      if (this.#settle) this.#failAfter(this.#options.deadlineMs);
    } else if (message.type === 'unusable') this.#fail(message.reason);
    else if (message.id === this.#count) {
      const { vectors, megabytes } = message;
      this.#end({ type: 'computed', vectors, isTooLarge: megabytes > this.#options.megabytes });
    }
  }

  #failAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail('it took too long'), ms).unref();
  }

  #fail(reason: string): void {
    this.#failure ??= reason;
    this.#end({ type: 'failed', reason: this.#failure });
  }

  #end(computation: Computation): void {
    clearTimeout(this.#timer);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(computation);
  }
}

function programArguments({ folder, modelFolder }: Required<ModelProcessOptions>): string[] {
  // Node 20 and 22 accept only the first spelling of the flag, Node 24 only the second.
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const [program, model] = [absolute(folder), absolute(modelFolder)];
  return [
    '--no-warnings',
    permission,
    `--allow-fs-read=${program}/*`,
    `--allow-fs-read=${model}/*`,
    `--max-old-space-size=${heapMegabytes}`,
    `${program}/embedder.mjs`,
    model,
  ];
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended.
  }
}

/** An empty environment, except for variables that Windows needs to start a process. */
function environment(): NodeJS.ProcessEnv {
  if (process.platform !== 'win32') return {};
  const { SystemRoot, TEMP } = process.env;
  return { SystemRoot, TEMP };
}
