import { ExecutorError, type SourceProgress } from '@executor/protocol';
import type { LoadProgress } from '../../ports/source.ts';

/** Reading a document of 50 MB takes a child process with more than a gigabyte of memory. */
const maxConcurrent = 2;

interface Subject {
  workspaceId: string;
  name: string;
  namespace?: string | undefined;
}

interface Load extends Subject {
  progress: Omit<SourceProgress, 'name' | 'namespace' | 'startedAt'>;
  startedAt: Date;
}

type Work<Result> = (step: {
  signal: AbortSignal;
  onProgress(progress: LoadProgress): void;
}) => Promise<Result>;

/** The loads in progress. Only the end of the process cancels them. */
export class Loads {
  readonly #now: () => Date;
  readonly #loads = new Set<Load>();
  readonly #waiting: (() => void)[] = [];
  readonly #stopping = new AbortController();
  #running = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  async run<Result>(subject: Subject, work: Work<Result>): Promise<Result> {
    const load: Load = { ...subject, progress: { stage: 'queued' }, startedAt: this.#now() };
    this.#loads.add(load);
    try {
      await this.#takeSlot();
      try {
        this.#requireRunning();
        const { signal } = this.#stopping;
        const result = await work({
          signal,
          onProgress: (progress) => {
            load.progress = progress;
          },
        });
        return result;
      } finally {
        this.#freeSlot();
      }
    } catch (error) {
      this.#requireRunning(error);
      throw error;
    } finally {
      this.#loads.delete(load);
    }
  }

  of(workspaceId: string): SourceProgress[] {
    return [...this.#loads]
      .filter((load) => load.workspaceId === workspaceId)
      .map(({ name, namespace, progress, startedAt }) => ({
        name,
        ...(namespace !== undefined && { namespace }),
        stage: progress.stage,
        ...(progress.done !== undefined && { done: progress.done }),
        ...(progress.total !== undefined && { total: progress.total }),
        startedAt: startedAt.toISOString(),
      }));
  }

  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Cancels all loads and starts no more, because the process ends. */
  stop(): void {
    this.#stopping.abort();
    for (const begin of this.#waiting.splice(0)) begin();
  }

  async #takeSlot(): Promise<void> {
    if (this.#running >= maxConcurrent) await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#running += 1;
  }

  /** The slot passes to the load that has waited longest. */
  #freeSlot(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }

  #requireRunning(cause?: unknown): void {
    if (!this.#stopping.signal.aborted) return;
    throw new ExecutorError(
      'gone',
      'The server is stopping, so the source was not read. Try again when it is back.',
      {
        cause,
      },
    );
  }
}
