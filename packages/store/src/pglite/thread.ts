import { Worker } from 'node:worker_threads';
import { PgliteConnection } from './connection.ts';
import type { FromWorker, ToWorker } from './wire.ts';

/**
 * The worker thread with the database, and the connections into it. A thread that died (Postgres gave up, say on a full disk) takes
 * its connections with it and is started again by the next connection.
 */
export class PgliteThread {
  readonly #options: ThreadOptions;
  readonly #connections = new Map<number, PgliteConnection>();
  #worker: Promise<Worker> | undefined;
  #lastConnection = 0;
  #closed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Opens the database; rejects with what Postgres said where it cannot be opened. */
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
    this.#closed = true;
    const worker = await this.#worker?.catch(() => undefined);
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ type: 'close' } satisfies ToWorker);
    await ended;
  }

  #send(message: Extract<ToWorker, { type: 'request' }>): void {
    this.#running().then(
      (worker) => worker.postMessage(message, [message.bytes.buffer as ArrayBuffer]),
      (error) => this.#connections.get(message.connection)?.destroy(error),
    );
  }

  #running(): Promise<Worker> {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  #start(): Promise<Worker> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'));
    const worker = new Worker(this.#options.program, {
      workerData: { folder: this.#options.folder },
      stderr: true,
      stdout: true,
    });
    const output = new Tail();
    worker.stdout.on('data', (chunk) => output.add(chunk));
    worker.stderr.on('data', (chunk) => output.add(chunk));
    return new Promise((resolve, reject) => {
      let ended = false;
      const end = (error: Error) => {
        if (ended) return;
        ended = true;
        this.#worker = undefined;
        reject(error);
        for (const connection of this.#connections.values()) connection.destroy(error);
        this.#connections.clear();
        if (!this.#closed) this.#options.onDeath(error, output.text());
      };
      worker.on('error', end);
      worker.on('exit', () => end(new Error('the database thread ended')));
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') resolve(worker);
        if (message.type === 'answer') this.#connections.get(message.connection)?.answer(message.bytes);
      });
    });
  }
}

export interface ThreadOptions {
  /** The built worker program. */
  program: URL;
  folder: string;
  /** Told once per thread that ended by itself, with the last of what Postgres printed. */
  onDeath(error: Error, output: string): void;
}

/** The last few lines of what Postgres printed, which say why it gave up. */
class Tail {
  #text = '';

  add(chunk: Buffer): void {
    this.#text = (this.#text + chunk.toString('utf8')).slice(-4000);
  }

  text(): string {
    return this.#text.trim();
  }
}
