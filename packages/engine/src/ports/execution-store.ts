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
 * - A run is held by one worker at a time: its lease has an owner, an epoch that grows with each new holder, and an end on the
 *   database's clock. What carries a stale epoch is refused with `leaseLost`, and nothing of it is written.
 * - A run is *runnable* when it is not finished, nobody's lease on it is alive, and it is queued or running, or waits and its `wakeAt`
 *   has come.
 * - Events are numbered by the database, from 1 without gaps, in the order of commits.
 * - Whatever makes a run runnable sends a wake-up in the same transaction.
 */
export interface ExecutionStore {
  /**
   * Where the owner already has a run with that idempotency key, answers that one and creates nothing; of two requests at once one
   * creates. A leased run has the epoch 1, and `startedAt` is the time of its creation.
   */
  create(
    execution: NewExecutionRow,
    events: NewEvent[],
    start: RunStart,
  ): Promise<{ execution: ExecutionRow; created: boolean }>;
  find(workspaceId: string, id: string): Promise<ExecutionRow | undefined>;
  list(workspaceId: string, filter: ExecutionFilter, page: PageQuery): Promise<Page<ExecutionListRow>>;
  /** The events after `afterSeq`, in order; only of the given types, where they are given. */
  events(id: string, options: { afterSeq: number; limit: number; types?: string[] }): Promise<StoredEvent[]>;
  /** Events of the whole workspace whose type begins with `execution.` or `interaction.`, in an order that never changes. */
  feed(workspaceId: string, options: { after?: string; limit: number }): Promise<FeedRow[]>;
  /** The end of the feed as it is now. */
  feedEnd(workspaceId: string): Promise<string>;

  /** Takes a runnable run; undefined where it is not (any more). Sets the status to `running`. */
  lease(id: string, owner: string, ttlMs: number): Promise<Leased | undefined>;
  /** Takes up to `limit` runnable runs, those that waited longest first; two callers never get the same. */
  leaseNext(owner: string, ttlMs: number, limit: number): Promise<Leased[]>;
  /** Prolongs leases, and shortens none; answers the ids of those that are still the owner's. */
  renew(leases: Lease[], ttlMs: number): Promise<string[]>;
  /** Ends the leases of owners that are known to be gone; for an embedded database, whose lock proves it. */
  endLeases(): Promise<void>;
  /** When the next run becomes runnable by itself: the earliest `wakeAt` or end of a lease. */
  nextRunnableAt(): Promise<Date | undefined>;

  /**
   * Writes to the journal, all or nothing. `batch` counts the writes of one lease from 1: a write that is repeated because its answer
   * got lost is not made twice. Answers the number of the last event of the run, which tells whether others wrote meanwhile.
   */
  append(lease: Lease, batch: number, write: RunWrite): Promise<{ seq: number }>;
  /** The last write of a run: withdraws what is still asked, ends the lease. */
  finish(lease: Lease, batch: number, ending: RunEnding): Promise<void>;
  /**
   * Gives a waiting run back until `wakeAt`. Refused as `unread` where events after `knownSeq` were appended by others: the holder reads
   * them first.
   */
  release(
    lease: Lease,
    state: { status: 'waiting' | 'queued'; knownSeq: number; wakeAt?: Date },
  ): Promise<'released' | 'unread'>;

  /**
   * Asks the holder of a run to cancel it; where nobody holds it, it is cancelled at once. Undefined where there is no such run;
   * `finished` where it had ended before.
   */
  cancel(
    workspaceId: string,
    id: string,
    events: { requested: NewEvent; cancelled: NewEvent },
    audit: NewAuditEntry,
  ): Promise<'requested' | 'cancelled' | 'finished' | undefined>;
  /** Removes finished runs with all that belongs to them; answers how many. */
  removeFinished(workspaceId: string, before: Date, limit: number): Promise<number>;
}

/** A new run is held by its creator at once, or waits for a worker (which is woken), or has ended already, if it ever began. */
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
  /** Who may see and repeat it besides people: the key of an agent, else the actor. */
  ownerId: string;
  principalKind: PrincipalKind;
  clientId: string | null;
  runtimeId: string;
  code: string;
  /** Absent where the code did not compile. */
  program: Program | null;
  /** The sandbox build that the program was made for. */
  build: string;
  seed: string;
  /** Milliseconds; where the code's clock starts. */
  epoch: number;
  limits: ExecutionLimits;
  metadata: Record<string, unknown> | null;
  idempotencyKey: string | null;
  /** Tells a repeated request from another one with the same idempotency key. */
  requestHash: string;
  createdAt: Date;
}

export interface ExecutionRow extends NewExecutionRow {
  status: ExecutionStatus;
  /** JSON text, as it is shown. */
  result: string | null;
  error: ExecutionError | null;
  omitted: { result?: Omission; logs?: Omission } | null;
  usage: ExecutionUsage | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  wakeAt: Date | null;
  /** The number of its last event. */
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

/** An event of a run, or of a source: of the latter there is what the audit tells of it, without what only concerns people. */
export interface FeedRow {
  cursor: string;
  executionId?: string;
  sourceId?: string;
  event: StoredEvent | { seq: number; at: Date; type: `source.${string}` };
}

export interface RunWrite {
  events: NewEvent[];
  status?: 'running' | 'waiting';
  /** Interactions that are asked with these events. */
  ask?: NewInteractionRow[];
  /** Pending interactions that are settled without an answer. */
  settle?: { id: string; status: 'expired' | 'withdrawn'; at: Date }[];
  /** The lease must last at least this long from now. */
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
