import { Worker } from 'node:worker_threads';
import { unusable } from '@executor/home';
import { PgliteConnection } from './connection.ts';
import type { FromWorker, ToWorker } from './wire.ts';

export interface ThreadOptions {
  /** The built worker program. */
  program: URL;
  folder: string;
  /** Called when a running thread ended by itself. */
  onDeath(error: Error): void;
  /** Called with the size of each request. */
  onRequest(bytes: number): void;
}

/** `resting`: the start failed and is not retried at once, because each attempt costs most of a CPU second. */
type State =
  | { type: 'idle' }
  | { type: 'running'; worker: Promise<Worker> }
  | { type: 'resting'; error: Error; until: number }
  | { type: 'closed' };

const restMs = 5_000;

/**
 * The worker thread of the database and its connections. A thread that died (for example on a full disk) closes its connections, and the
 * next connection starts it again.
 */
export class PgliteThread {
  readonly #options: ThreadOptions;
  readonly #connections = new Map<number, PgliteConnection>();
  #state: State = { type: 'idle' };
  #lastConnection = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Opens the database. Rejects with the reason if it cannot be opened. */
  async start(): Promise<void> {
    await this.#running();
  }

  connect(): PgliteConnection {
    const number = ++this.#lastConnection;
    const connection = new PgliteConnection({
      request: (bytes) => this.#send({ type: 'request', connection: number, bytes }),
      close: () => this.#connections.delete(number),
    });
    this.#connections.set(number, connection);
    return connection;
  }

  async close(): Promise<void> {
    const state = this.#state;
    this.#state = { type: 'closed' };
    const worker = state.type === 'running' ? await state.worker.catch(() => undefined) : undefined;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ type: 'close' } satisfies ToWorker);
    await ended;
  }

  #send(message: Extract<ToWorker, { type: 'request' }>): void {
    this.#options.onRequest(message.bytes.byteLength);
    this.#running().then(
      (worker) => worker.postMessage(message, [message.bytes.buffer as ArrayBuffer]),
      (error) => this.#connections.get(message.connection)?.destroy(error),
    );
  }

  async #running(): Promise<Worker> {
    const state = this.#state;
    if (state.type === 'closed') throw new Error('the database is closed');
    if (state.type === 'running') return state.worker;
    if (state.type === 'resting' && Date.now() < state.until) throw state.error;
    const worker = this.#start();
    this.#state = { type: 'running', worker };
    return worker;
  }

  #start(): Promise<Worker> {
    const worker = new Worker(this.#options.program, { workerData: { folder: this.#options.folder } });
    let ready = false;
    let failure: Error | undefined;
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'answer') this.#connections.get(message.connection)?.answer(message.bytes);
        if (message.type === 'failed') failure = this.#failure(message);
        if (message.type !== 'ready') return;
        ready = true;
        resolve(worker);
      });
      worker.on('error', (error) => {
        failure ??= error;
      });
      worker.on('exit', () => {
        const error = failure ?? new Error('the database thread ended');
        reject(error);
        this.#ended(error, ready ? { type: 'idle' } : { type: 'resting', error, until: Date.now() + restMs });
      });
    });
  }

  /** Reports a full disk or an unwritable folder as such, because the user can fix it. */
  #failure({ reason, refusal }: Extract<FromWorker, { type: 'failed' }>): Error {
    return refusal === undefined
      ? new Error(reason)
      : unusable(this.#options.folder, Object.assign(new Error(reason), { code: refusal }));
  }

  #ended(error: Error, next: State): void {
    for (const connection of this.#connections.values()) connection.destroy(error);
    this.#connections.clear();
    if (this.#state.type === 'closed') return;
    this.#state = next;
    if (next.type === 'idle') this.#options.onDeath(error);
  }
}
