import type { Worker as WorkerView } from '@executor/protocol';

/** Runs executions in this process. */
export class Worker {
  /** Begins to take runs. */
  async start(): Promise<void> {
    throw new Error('not yet');
  }

  /** Takes no more runs, gives back those that can be given back, and waits for calls under way, up to a limit. */
  async drain(): Promise<void> {
    throw new Error('not yet');
  }

  /** All workers that live, in whatever process. */
  async list(): Promise<WorkerView[]> {
    throw new Error('not yet');
  }
}
