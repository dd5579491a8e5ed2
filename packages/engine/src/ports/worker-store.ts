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

/** The processes that execute runs, for display only. Leases do not depend on this table. */
export interface WorkerStore {
  /** Writes or refreshes the row, and removes rows of workers that were not seen for an hour. */
  announce(worker: Omit<WorkerRow, 'seenAt'>): Promise<void>;
  remove(id: string): Promise<void>;
  /** Workers that were seen within this time. */
  list(withinMs: number): Promise<WorkerRow[]>;
}
