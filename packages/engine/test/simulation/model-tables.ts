import type { ExecutionStatus } from '@executor/protocol';
import { ExecutorError } from '@executor/protocol';
import type { ExecutionRow, FeedRow, Lease } from '../../src/ports/execution-store.ts';
import type { InteractionRow } from '../../src/ports/interaction-store.ts';
import type { NewEvent, StoredEvent } from '../../src/ports/journal-event.ts';
import type { StoreChange } from '../../src/ports/store.ts';

export interface RunRow {
  row: ExecutionRow;
  events: StoredEvent[];
  leaseOwner: string | null;
  leaseEpoch: number;
  leaseUntil: number;
  lastBatch: number;
  losses: { all: number; alone: number };
  lostEpoch: number;
}

/** The effect of a commit, for the invariants. */
export type Commit =
  | { type: 'created'; run: RunRow }
  | { type: 'leased'; run: RunRow }
  | { type: 'lost'; run: RunRow; owner: string; alone: boolean }
  | { type: 'written'; run: RunRow; lease: Lease; events: NewEvent[]; asked: number[]; finished: boolean }
  | { type: 'released'; run: RunRow; lease: Lease }
  | { type: 'resolved'; run: RunRow; rows: InteractionRow[] }
  | { type: 'cancelled'; run: RunRow };

/** The effects of a commit outside of the database. */
export interface Outlets {
  now(): number;
  changed(change: StoreChange): void;
  wake(executionId: string, at: number): void;
  committed(commit: Commit): void;
}

/** The rows of a database, and the common part of all changes. */
export class ModelTables {
  readonly runs = new Map<string, RunRow>();
  readonly interactions = new Map<string, InteractionRow>();
  readonly feed: (FeedRow & { workspaceId: string })[] = [];
  readonly outlets: Outlets;

  constructor(outlets: Outlets) {
    this.outlets = outlets;
  }

  get now(): number {
    return this.outlets.now();
  }

  append(run: RunRow, events: NewEvent[]): void {
    for (const event of events) {
      run.row.lastSeq += 1;
      const stored: StoredEvent = { seq: run.row.lastSeq, ...event };
      run.events.push(stored);
      if (/^(execution|interaction)\./.test(event.type)) {
        const cursor = String(this.feed.length + 1);
        this.feed.push({
          cursor,
          workspaceId: run.row.workspaceId,
          executionId: run.row.id,
          event: stored,
        });
      }
    }
  }

  changed({ row }: RunRow, { status, forHolder = false }: ChangeOfRun = {}): void {
    const { workspaceId, id: executionId } = row;
    this.outlets.changed({
      type: 'execution',
      workspaceId,
      executionId,
      ...(status && { status }),
      forHolder,
    });
  }

  withdrawAll(executionId: string, at: Date): void {
    for (const asked of this.interactions.values()) {
      if (asked.executionId !== executionId || asked.status !== 'pending') continue;
      this.interactions.set(asked.id, { ...asked, status: 'withdrawn', resolvedAt: at });
    }
  }

  /** The run, if this lease holds it. */
  held({ id, owner, epoch }: Lease): RunRow | undefined {
    const run = this.runs.get(id);
    if (run?.leaseOwner !== owner || run.leaseEpoch !== epoch || run.row.finishedAt !== null)
      return undefined;
    return run;
  }
}

interface ChangeOfRun {
  status?: ExecutionStatus;
  forHolder?: boolean;
}

/** The time from which a worker may take the run. */
export function runnableAt({ row, leaseOwner, leaseUntil }: RunRow): number | undefined {
  if (row.finishedAt !== null) return undefined;
  if (leaseOwner === null && row.status === 'waiting') return row.wakeAt?.getTime();
  return leaseUntil;
}

export function leaseLost(id: string): ExecutorError {
  return new ExecutorError('leaseLost', `The run ${id} is no longer held by this worker.`);
}
