import { ExecutorError, type SourceProgress } from '@executor/protocol';
import type { LoadProgress } from '../../ports/source.ts';

/** A document of 50 MB takes a child process with a gigabyte and more. */
const maxAtOnce = 2;

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

/** The sources that this process reads right now. Only its own end calls one off. */
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
      await this.#turn();
      try {
        this.#requireGoing();
        const { signal } = this.#stopping;
        const result = await work({
          signal,
          onProgress: (progress) => {
            load.progress = progress;
          },
        });
        return result;
      } finally {
        this.#pass();
      }
    } catch (error) {
      this.#requireGoing(error);
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

  /** The process ends: what is being read is given up, and nothing more is begun. */
  stop(): void {
    this.#stopping.abort();
    for (const begin of this.#waiting.splice(0)) begin();
  }

  async #turn(): Promise<void> {
    if (this.#running >= maxAtOnce) await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#running += 1;
  }

  /** The place goes to whoever waits longest. */
  #pass(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }

  #requireGoing(cause?: unknown): void {
    if (!this.#stopping.signal.aborted) return;
    throw new ExecutorError(
      'gone',
      'The server stops, so the source was not read. Try again when it is back.',
      {
        cause,
      },
    );
  }
}
