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
import type { AwaitedAnswer } from './delivery-store.ts';
import type { NewInteractionRow } from './interaction-store.ts';
import type { NewEvent, StoredEvent } from './journal-event.ts';
import type { Page } from './page.ts';
import type { Program } from './sandbox.ts';
import type { NewRunLimits, StoredLimit } from './usage-store.ts';

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
   * creates. A leased run has the epoch 1, and its `startedAt` is the time of its creation. Throws `quotaExceeded` if a new run would
   * exceed the limits. With `awaited`, the owner's answer is expected from the moment the run exists.
   */
  create(
    execution: NewExecutionRow,
    events: NewEvent[],
    start: RunStart,
    terms?: CreationTerms,
  ): Promise<{ execution: ExecutionRow; created: boolean }>;
  find(workspaceId: string, id: string): Promise<ExecutionRow | undefined>;
  list(workspaceId: string, filter: ExecutionFilter, page: PageQuery): Promise<Page<ExecutionListRow>>;
  /** The events after `afterSeq`, in order. `types` selects some of them. */
  events(id: string, options: { afterSeq: number; limit: number; types?: string[] }): Promise<StoredEvent[]>;
  /** The log and the changes of status: the events after `afterSeq` that belong to no call. Does not read those of calls. */
  eventsOutsideCalls(id: string, options: { afterSeq: number; limit: number }): Promise<StoredEvent[]>;
  /** The same, within a number of bytes. The first event is returned whatever its size. */
  eventPage(id: string, options: { afterSeq: number } & PageBounds): Promise<EventPage>;
  /** All events of the first calls after `afterIndex`, in the order of calls. The first call is returned whatever its size. */
  callPage(id: string, options: { afterIndex: number } & PageBounds): Promise<EventPage>;
  /** Events of the whole workspace whose type begins with `execution.` or `interaction.`, in an order that never changes. */
  feed(workspaceId: string, options: { after?: string; limit: number }): Promise<FeedRow[]>;
  /** The current end of the feed. */
  feedEnd(workspaceId: string): Promise<string>;

  /** Takes a runnable run that is no suspect and sets its status to `running`. Returns undefined if there is none. */
  lease(id: string, owner: string, ttlMs: number): Promise<Leased | undefined>;
  /**
   * Takes runnable runs. Those who own runs take turns; each gives its longest waiting one first. Two callers never get the same run.
   * At most one of them is a suspect, and with a suspect no runs of agents are taken. A lost run is taken only after `noteLosses`.
   */
  leaseNext(owner: string, ttlMs: number, share: LeaseShare): Promise<Leased[]>;
  /** Extends leases and never shortens one. Returns the ids of the runs that the owner still holds. */
  renew(leases: Lease[], ttlMs: number): Promise<string[]>;
  /** Whether the run has not ended and nobody else has taken it. */
  holds(lease: Lease): Promise<boolean>;
  /** Ends all leases. Only for an embedded database, whose lock proves that their owners are gone. */
  endLeases(): Promise<void>;
  /**
   * Notes the runs that other processes have lost: a lease has expired, and the run was executing (status `running`). Such a run is a
   * *suspect* until it waits or `clearLosses`. If nothing else was executing in that process, the loss is a lone one.
   */
  noteLosses(owner: string): Promise<void>;
  /** The run has survived, or the process that lost this lease turns out to be alive. */
  clearLosses(lease: Lease): Promise<void>;
  /** The process ends in good order, but has to keep the lease. */
  excuseLoss(lease: Lease): Promise<void>;
  /**
   * The time at which the next run becomes runnable by itself: the earliest `wakeAt` or end of a lease. Runs of `except` do not count, and
   * those of agents only if `agents` is true, and suspects only with `suspectAfterMs`.
   */
  nextRunnableAt(among: {
    agents: boolean;
    except: string[];
    suspectAfterMs?: number | undefined;
  }): Promise<Date | undefined>;

  /**
   * Writes to the journal atomically. `batch` counts the writes of one lease from 1, so that a write repeated after a lost acknowledgement
   * has no effect. Returns the number of the run's last event, which shows whether other processes wrote meanwhile, and with `charge`
   * whether the owner of the run exceeds its limit.
   */
  append(lease: Lease, batch: number, write: RunWrite): Promise<{ seq: number; isOverLimit?: boolean }>;
  /**
   * Records how a call ended that was sent before the run completed or failed, or before its key was revoked. Only the last holder of a run
   * that ended in this way may do so, once for each call. Returns whether it was written.
   */
  appendOutcome(
    lease: Lease,
    batch: number,
    outcome: Extract<NewEvent, { type: 'call.completed' }>,
  ): Promise<boolean>;
  /** The last write of a run. Withdraws pending interactions and ends the lease. */
  finish(lease: Lease, batch: number, ending: RunEnding): Promise<void>;
  /**
   * Releases a run until `wakeAt`. If that has passed by the database's clock, it is `wakeInMs` from now: the clock of the holder lags, and
   * the holder would take and release the run until its own clock has caught up. Returns `unread` and releases nothing if other processes appended events after `knownSeq`: the holder
   * has to read them first.
   */
  release(
    lease: Lease,
    state: { status: 'waiting' | 'queued'; knownSeq: number; wakeAt?: Date; wakeInMs?: number },
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

/** What one read of a journal returns at most. */
export interface PageBounds {
  /** Maximum number of events or calls. */
  limit: number;
  maxBytes: number;
}

export interface EventPage {
  events: StoredEvent[];
  hasMore: boolean;
}

/** A new run is held by its creator, is queued for a worker (which is woken), or has ended already. */
interface CreationTerms {
  limits?: NewRunLimits | undefined;
  awaited?: AwaitedAnswer | undefined;
}

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
  /** How many processes ended while they executed this suspect, and how many of them executed nothing else. */
  losses?: { all: number; alone: number };
}

export interface NewExecutionRow {
  id: string;
  workspaceId: string;
  actorId: string;
  /** The agent's key that may see and repeat the run, or the actor if there is no key. People of the workspace may do so too. */
  ownerId: string;
  principalKind: PrincipalKind;
  clientId: string | null;
  /** The key or the browser session with which the run was started, if one was. It ends with that key. */
  credentialId: string | null;
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
  /** Its artifacts and the large inputs and outputs of its calls were deleted to make room. */
  removed: RemovedPayloads | null;
}

interface RemovedPayloads {
  at: string;
  bytes: number;
  hint: string;
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
  /** Charges the owner with everything that was written since the last time. A write without it only counts. */
  charge?: StoredLimit;
  /** Entries about calls that these events decide. */
  audit?: NewAuditEntry[];
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

/** How many runs a worker takes. */
export interface LeaseShare {
  limit: number;
  /** Maximum number of runs of agents among them. */
  agents: number;
  /** Maximum number of runs of one owner, together with those that the worker holds. */
  perOwner: { person: number; agent: number };
  /** How many runs of each owner the worker holds. */
  held: Record<string, number>;
  /** If present, a suspect may be taken, for each of its losses this time after it became runnable. */
  suspectAfterMs?: number | undefined;
}
