export interface WorkerRow {
  id: string;
  host: string;
  pid: number;
  version: string;
  concurrency: number;
  running: number;
  draining: boolean;
  startedAt: Date;
  /** On the database's clock. */
  seenAt: Date;
}

/** The processes that run executions, for people to see; leases do not depend on it. */
export interface WorkerStore {
  /** Writes or refreshes the row, and removes those of workers that have not been seen for an hour. */
  announce(worker: Omit<WorkerRow, 'seenAt'>): Promise<void>;
  remove(id: string): Promise<void>;
  /** Those that were seen within that time. */
  list(withinMs: number): Promise<WorkerRow[]>;
}
