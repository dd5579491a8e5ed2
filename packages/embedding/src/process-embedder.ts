import { type Embedder, type EmbeddingJob, FairQueue, type TextVector } from '@executor/engine';
import { ModelProcess, type ModelProcessOptions } from './model-process.ts';

export interface EmbedderOptions extends ModelProcessOptions {
  /** The name and version of the model. */
  model: string;
  /** A process without work ends after this time. */
  idleMs?: number;
  /** The pause after the first of several failures. Each further one doubles it. */
  retryMs?: number;
  onProblem(message: string, details: Record<string, unknown>): void;
}

export interface ProcessEmbedder extends Embedder {
  /** The process of the model; undefined if none runs. */
  readonly pid: number | undefined;
  close(): void;
}

/** A language model in a process of its own, which is started at the first use and ends when it is idle. */
export function createEmbedder(options: EmbedderOptions): ProcessEmbedder {
  return new QueueingEmbedder(options);
}

interface Job {
  texts: readonly string[];
  /** The vectors of the first texts. */
  vectors: TextVector[];
  /** The key that is charged, or undefined for background work. */
  owner: string | undefined;
  timer?: NodeJS.Timeout;
  resolve(vectors: TextVector[] | undefined): void;
}

/** Background work is done in small pieces, so that a request waits only for one of them. */
const textsAtOnce = 4;
const maxQueuedPerOwner = 10;
/** More than the model can read. */
const maxChars = 2_000;
const maxRetryMs = 300_000;

/**
 * Sends jobs to the process of a model, one at a time, requests first. After a failure it waits before it starts another
 * process. Until then there are no vectors.
 */
class QueueingEmbedder implements ProcessEmbedder {
  readonly model: string;
  readonly #options: Required<Pick<EmbedderOptions, 'idleMs' | 'retryMs'>> & EmbedderOptions;
  /** A key with long texts gets fewer turns. */
  readonly #requests = new FairQueue<Job>(() => 0);
  readonly #background: Job[] = [];
  #process: ModelProcess | undefined;
  #current: Job | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Failures since the last success. */
  #failures = 0;
  #retryAt = 0;
  #isClosed = false;

  constructor(options: EmbedderOptions) {
    this.model = options.model;
    this.#options = { idleMs: 60_000, retryMs: 1_000, ...options };
  }

  get pid(): number | undefined {
    return this.#process?.hasEnded ? undefined : this.#process?.pid;
  }

  embed(texts: readonly string[], job: EmbeddingJob): Promise<TextVector[] | undefined> {
    if (texts.length === 0) return Promise.resolve([]);
    const owner = job.type === 'request' ? job.owner : undefined;
    const isFull = owner !== undefined && this.#requests.sizeOf(owner) >= maxQueuedPerOwner;
    if (this.#isClosed || isFull || performance.now() < this.#retryAt) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const queued: Job = {
        texts: texts.map((text) => text.slice(0, maxChars)),
        vectors: [],
        owner,
        resolve,
      };
      if (job.type === 'request') queued.timer = setTimeout(() => this.#giveUp(queued), job.waitMs);
      if (owner === undefined) this.#background.push(queued);
      else this.#requests.add(owner, queued);
      this.#next();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
    this.#dropAll();
  }

  /** The answer is too late for the request. A process that still starts goes on, for the next one. */
  #giveUp(job: Job): void {
    this.#requests.remove(job.owner as string, job);
    job.resolve(undefined);
  }

  #next(): void {
    if (this.#current) return;
    this.#current = this.#requests.shift() ?? this.#background.shift();
    clearTimeout(this.#idle);
    if (this.#current) void this.#work(this.#current);
    else this.#idle = setTimeout(() => this.#end(), this.#options.idleMs).unref();
  }

  async #work(job: Job): Promise<void> {
    const startedAt = performance.now();
    const done = job.vectors.length;
    const texts = job.owner === undefined ? job.texts.slice(done, done + textsAtOnce) : job.texts;
    // One that ended while it had no work is no failure.
    if (this.#process?.hasEnded) this.#process = undefined;
    this.#process ??= new ModelProcess(this.#options);
    const own = this.#process;
    const outcome = await own.compute(texts);
    if (own !== this.#process) return;
    this.#current = undefined;
    if (job.owner !== undefined) this.#requests.chargeLater(job.owner, performance.now() - startedAt);
    if (outcome.type === 'failed') return this.#fail(job, outcome.reason);
    this.#failures = 0;
    job.vectors.push(...outcome.vectors);
    if (job.vectors.length < job.texts.length) this.#background.unshift(job);
    else this.#finish(job, job.vectors);
    if (outcome.isTooLarge) this.#end();
    this.#next();
  }

  #finish(job: Job, vectors: TextVector[] | undefined): void {
    clearTimeout(job.timer);
    job.resolve(vectors);
  }

  #fail(job: Job, reason: string): void {
    this.#end();
    const waitMs = Math.min(maxRetryMs, this.#options.retryMs * 2 ** this.#failures);
    this.#retryAt = performance.now() + waitMs;
    if (this.#failures === 0)
      this.#options.onProblem(
        'the language model does not work, so search compares meanings without it; see `executor doctor`',
        {
          model: this.model,
          reason,
        },
      );
    this.#failures += 1;
    this.#finish(job, undefined);
    this.#dropAll();
  }

  #dropAll(): void {
    const current = this.#current;
    this.#current = undefined;
    const jobs = [...(current ? [current] : []), ...this.#requests.drain(), ...this.#background.splice(0)];
    for (const job of jobs) this.#finish(job, undefined);
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = undefined;
  }
}
