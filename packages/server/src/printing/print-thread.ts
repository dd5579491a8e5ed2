import { Worker } from 'node:worker_threads';
import type { PrintJob, PrintOutcome, PrintThread } from '@executor/engine';
import type { ToPrintThread } from './print-worker.ts';

interface Options {
  /** Timeout of one job. The limits of the printer itself end it much earlier. */
  deadlineMs?: number;
  /** The thread ends after this idle time. */
  idleMs?: number;
}

interface PendingJob {
  job: PrintJob;
  resolve(outcome: PrintOutcome): void;
}

const memoryMb = 512;
/** Sources whose compressed tools the thread keeps. */
const maxSources = 8;

/** Prints on a thread that is started on first use and ends when it is idle. It prints one tool at a time. */
export function printThread(program: URL, options: Options = {}): PrintThread {
  const queue = new PrintQueue(program, { deadlineMs: 10_000, idleMs: 30_000, ...options });
  return { print: (job) => queue.print(job) };
}

class PrintQueue {
  readonly #program: URL;
  readonly #options: Required<Options>;
  readonly #waiting: PendingJob[] = [];
  #current: PendingJob | undefined;
  #thread: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The sources that the thread has, the most recently used last. */
  readonly #sources = new Map<PrintJob['tools'], number>();
  #sourceCount = 0;

  constructor(program: URL, options: Required<Options>) {
    this.#program = program;
    this.#options = options;
  }

  print(job: PrintJob): Promise<PrintOutcome> {
    return new Promise((resolve) => {
      this.#waiting.push({ job, resolve });
      if (this.#current === undefined) this.#next();
    });
  }

  #next(): void {
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) {
      if (this.#thread) this.#endAfter(this.#options.idleMs, this.#thread);
      return;
    }
    const thread = this.#thread ?? this.#start();
    this.#endAfter(this.#options.deadlineMs, thread);
    const { tools, ...job } = this.#current.job;
    thread.postMessage({ ...this.#sourceOf(tools), job } satisfies ToPrintThread);
  }

  #sourceOf(tools: PrintJob['tools']): Omit<ToPrintThread, 'job'> {
    const known = this.#sources.get(tools);
    const source = known ?? this.#sourceCount++;
    this.#sources.delete(tools);
    this.#sources.set(tools, source);
    const forget: number[] = [];
    for (const [oldest, number] of this.#sources) {
      if (this.#sources.size <= maxSources) break;
      this.#sources.delete(oldest);
      forget.push(number);
    }
    return { source, forget, ...(known === undefined && { tools }) };
  }

  #start(): Worker {
    const thread = new Worker(this.#program, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
    // The thread does not keep a stopping server alive.
    thread.unref();
    thread.on('message', (outcome: PrintOutcome) => {
      if (thread === this.#thread) this.#finish(outcome);
    });
    thread.on('error', () => this.#drop(thread));
    thread.on('exit', () => this.#drop(thread));
    this.#thread = thread;
    return thread;
  }

  #finish(outcome: PrintOutcome): void {
    this.#current?.resolve(outcome);
    this.#next();
  }

  #endAfter(ms: number, thread: Worker): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#drop(thread);
      void thread.terminate();
    }, ms).unref();
  }

  /** The thread ends, and with it the job that it was working on. */
  #drop(thread: Worker): void {
    if (thread !== this.#thread) return;
    this.#thread = undefined;
    this.#sources.clear();
    clearTimeout(this.#timer);
    if (this.#current) this.#finish({ ms: this.#options.deadlineMs });
  }
}
