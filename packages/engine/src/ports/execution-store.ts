import type {
  ExecutionError,
  ExecutionLimits,
  ExecutionStatus,
  ExecutionUsage,
  Omission,
  PageQuery,
  PrincipalKind,
} from '@executor/protocol';
import type { NewAuditEntry } from './audit-store.ts';
import type { NewInteractionRow } from './interaction-store.ts';
import type { NewEvent, StoredEvent } from './journal-event.ts';
import type { Page } from './page.ts';
import type { Program } from './sandbox.ts';

/**
 * Runs and their journals.
 *
 * - One worker at a time holds a run. Its lease has an owner, an epoch that grows with each new holder, and an end on the database's
 *   clock. A write with a stale epoch is rejected as a whole with `leaseLost`.
 * - A run is *runnable* if it has not finished, has no live lease, and is queued or running, or is waiting and its `wakeAt` has passed.
 * - The database numbers events from 1 without gaps, in the order of commits.
 * - A transaction that makes a run runnable also sends a wake-up.
 */
export interface ExecutionStore {
  /**
   * If the owner already has a run with this idempotency key, returns that run and creates nothing. Of two concurrent requests, one
   * creates. A leased run has the epoch 1, and its `startedAt` is the time of its creation.
   */
  create(
    execution: NewExecutionRow,
    events: NewEvent[],
    start: RunStart,
  ): Promise<{ execution: ExecutionRow; created: boolean }>;
  find(workspaceId: string, id: string): Promise<ExecutionRow | undefined>;
  list(workspaceId: string, filter: ExecutionFilter, page: PageQuery): Promise<Page<ExecutionListRow>>;
  /** The events after `afterSeq`, in order. `types` selects some of them. */
  events(id: string, options: { afterSeq: number; limit: number; types?: string[] }): Promise<StoredEvent[]>;
  /** Events of the whole workspace whose type begins with `execution.` or `interaction.`, in an order that never changes. */
  feed(workspaceId: string, options: { after?: string; limit: number }): Promise<FeedRow[]>;
  /** The current end of the feed. */
  feedEnd(workspaceId: string): Promise<string>;

  /** Takes a runnable run and sets its status to `running`. Returns undefined if the run is not runnable. */
  lease(id: string, owner: string, ttlMs: number): Promise<Leased | undefined>;
  /** Takes up to `limit` runnable runs, longest waiting first. Two callers never get the same run. */
  leaseNext(owner: string, ttlMs: number, limit: number): Promise<Leased[]>;
  /** Extends leases and never shortens one. Returns the ids of the runs that the owner still holds. */
  renew(leases: Lease[], ttlMs: number): Promise<string[]>;
  /** Ends all leases. Only for an embedded database, whose lock proves that their owners are gone. */
  endLeases(): Promise<void>;
  /** The time at which the next run becomes runnable by itself: the earliest `wakeAt` or end of a lease. */
  nextRunnableAt(): Promise<Date | undefined>;

  /**
   * Writes to the journal atomically. `batch` counts the writes of one lease from 1, so that a write repeated after a lost acknowledgement
   * has no effect. Returns the number of the run's last event, which shows whether other processes wrote meanwhile.
   */
  append(lease: Lease, batch: number, write: RunWrite): Promise<{ seq: number }>;
  /** The last write of a run. Withdraws pending interactions and ends the lease. */
  finish(lease: Lease, batch: number, ending: RunEnding): Promise<void>;
  /**
   * Releases a run until `wakeAt`. Returns `unread` and releases nothing if other processes appended events after `knownSeq`: the holder
   * has to read them first.
   */
  release(
    lease: Lease,
    state: { status: 'waiting' | 'queued'; knownSeq: number; wakeAt?: Date },
  ): Promise<'released' | 'unread'>;

  /**
   * Asks the holder of a run to cancel it, or cancels it at once if nobody holds it. Returns undefined if there is no such run, and
   * `finished` if it has ended before.
   */
  cancel(
    workspaceId: string,
    id: string,
    events: { requested: NewEvent; cancelled: NewEvent },
    audit: NewAuditEntry,
  ): Promise<'requested' | 'cancelled' | 'finished' | undefined>;
  /** Deletes finished runs with everything that belongs to them. Returns their number. */
  removeFinished(workspaceId: string, before: Date, limit: number): Promise<number>;
}

/** A new run is held by its creator, is queued for a worker (which is woken), or has ended already. */
export type RunStart =
  | { type: 'leased'; owner: string; ttlMs: number }
  | { type: 'queued' }
  | { type: 'ended'; startedAt: Date | null; ending: Omit<RunEnding, 'events'> };

export interface Lease {
  id: string;
  owner: string;
  epoch: number;
}

export interface Leased {
  execution: ExecutionRow;
  epoch: number;
}

export interface NewExecutionRow {
  id: string;
  workspaceId: string;
  actorId: string;
  /** The agent's key that may see and repeat the run, or the actor if there is no key. People of the workspace may do so too. */
  ownerId: string;
  principalKind: PrincipalKind;
  clientId: string | null;
  runtimeId: string;
  code: string;
  /** Null if the code did not compile. */
  program: Program | null;
  /** The sandbox build that compiled the program. */
  build: string;
  seed: string;
  /** The start of the code's clock, in milliseconds. */
  epoch: number;
  limits: ExecutionLimits;
  metadata: Record<string, unknown> | null;
  idempotencyKey: string | null;
  /** Distinguishes a repeated request from a different one with the same idempotency key. */
  requestHash: string;
  createdAt: Date;
}

export interface ExecutionRow extends NewExecutionRow {
  status: ExecutionStatus;
  /** JSON text, cut for display. */
  result: string | null;
  error: ExecutionError | null;
  omitted: { result?: Omission; logs?: Omission } | null;
  usage: ExecutionUsage | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  wakeAt: Date | null;
  /** The number of the last event. */
  lastSeq: number;
}

export type ExecutionListRow = Pick<
  ExecutionRow,
  | 'id'
  | 'workspaceId'
  | 'actorId'
  | 'clientId'
  | 'runtimeId'
  | 'status'
  | 'error'
  | 'createdAt'
  | 'startedAt'
  | 'finishedAt'
> & { codeExcerpt: string; pendingInteractions: number };

export interface ExecutionFilter {
  status?: ExecutionStatus | undefined;
  clientId?: string | undefined;
  ownerId?: string | undefined;
}

/** An event of a run or of a source. Events of sources repeat their audit entries, without the details that only users may see. */
export interface FeedRow {
  cursor: string;
  executionId?: string;
  sourceId?: string;
  event: StoredEvent | { seq: number; at: Date; type: `source.${string}` };
}

export interface RunWrite {
  events: NewEvent[];
  status?: 'running' | 'waiting';
  /** Interactions that these events request. */
  ask?: NewInteractionRow[];
  /** Pending interactions that end without an answer. */
  settle?: { id: string; status: 'expired' | 'withdrawn'; at: Date }[];
  /** The minimum remaining time of the lease. */
  leaseMs?: number;
}

export interface RunEnding {
  events: NewEvent[];
  status: 'completed' | 'failed' | 'cancelled';
  result: string | null;
  error: ExecutionError | null;
  omitted: ExecutionRow['omitted'];
  usage: ExecutionUsage | null;
  finishedAt: Date;
}
