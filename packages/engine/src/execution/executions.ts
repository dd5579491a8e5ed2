import {
  type Call,
  type Execution,
  type ExecutionEvent,
  type ExecutionQuery,
  type ExecutionSummary,
  ExecutorError,
  isFinished,
  type NewExecution,
  nearest,
  type PageQuery,
  type Principal,
  type ReplayReport,
  type WorkspaceEvent,
} from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import type { Clock } from '../clock.ts';
import { ownerOf } from '../identity/owner.ts';
import { interactionIdOf } from '../interaction/interaction-view.ts';
import type { ExecutionRow } from '../ports/execution-store.ts';
import type { StoredEvent } from '../ports/journal-event.ts';
import type { Page } from '../ports/page.ts';
import type { LogLine, Sandbox } from '../ports/sandbox.ts';
import type { Store } from '../ports/store.ts';
import { accountOf } from '../resource/account.ts';
import type { Hold } from '../resource/held-resource.ts';
import type { Resources } from '../resource/resources.ts';
import type { StoredQuotas } from '../resource/stored-quotas.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import { awaitedAnswer } from './deliveries.ts';
import { maxJournalBytes } from './run/journal.ts';
import { journalPage } from './run/journal-reader.ts';
import { replayRun } from './run/replay.ts';
import type { RunExit } from './run/run-gate.ts';
import { emptyState, record } from './run/run-state.ts';
import type { Typecheck } from './typecheck/typecheck.ts';
import { callViews } from './view/call-view.ts';
import { ChangeSignal, eventsOfRun, eventsOfWorkspace } from './view/execution-events.ts';
import { executionSummary, executionView } from './view/execution-view.ts';
import { newsSince } from './view/run-news.ts';
import { type Started, startExecution } from './worker/start-execution.ts';
import type { Worker } from './worker/worker.ts';

interface Dependencies {
  store: Store;
  clock: Clock;
  sandboxes: ReadonlyMap<string, Sandbox>;
  workspaces: Pick<Workspaces, 'limitsFor'>;
  worker: Worker;
  typecheck?: Typecheck | undefined;
  resources: Pick<Resources, 'held'>;
  quotas: Pick<StoredQuotas, 'admit' | 'runLimits' | 'takeAuditRow'>;
  baseUrl(): string;
}

/** A run that has begun. */
export interface StartedRun {
  id: string;
  /** Whether this request created it. */
  created: boolean;
  /** Whether it is new and has ended already. */
  endedAtOnce: boolean;
  settled(signal?: AbortSignal): Promise<Execution>;
}

type ViewParts = Parameters<typeof executionView>[1];

interface Waiting {
  waitMs: number;
  signal?: AbortSignal | undefined;
  /** How a run of this process left it. */
  exit?: Promise<RunExit> | undefined;
}

const lookAgainMs = 2_000;
const eventPage = 1_000;
/** How long a replay waits for the memory of a large journal. */
const replayWaitMs = 10_000;
/** How long the answer to a cancellation waits for the end of the run. */
const cancelWaitMs = 1_000;
/** A page of calls is shorter than its limit if the calls are large. */
const maxPageBytes = 1024 * 1024;
/** More than a journal can hold. */
const maxEvents = 2 ** 31 - 1;

/** Starts, lists, follows and cancels runs. A person sees all runs of the workspace, an agent its own. */
export class Executions {
  readonly #deps: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  async create(principal: Principal, request: NewExecution, signal?: AbortSignal): Promise<Execution> {
    const { settled } = await this.start(principal, request);
    return settled(signal);
  }

  /**
   * Starts a run and returns its id at once. `settled` waits as long as the request says. With `isAwaited`, the answer counts as lost if
   * the caller does not get it.
   */
  async start(principal: Principal, request: NewExecution, { isAwaited = false } = {}): Promise<StartedRun> {
    const { store, worker, clock, workspaces, typecheck } = this.#deps;
    const sandbox = this.#sandbox(request.runtimeId ?? 'quickjs');
    const limits = await workspaces.limitsFor(principal.workspaceId, request.limits);
    const started = await startExecution(principal, request, {
      ...{ store, clock, worker, sandbox, limits, typecheck },
      starts: this.#deps.resources.held.starts,
      quotas: this.#deps.quotas,
      awaited: isAwaited ? awaitedAnswer(request) : undefined,
    });
    const { execution, created, exit, logs, diagnostics } = started;
    const { waitMs } = request;
    if (!created) requireSameRequest(request, started);
    const isKnown = created && (isFinished(execution.status) || waitMs === 0);
    return {
      ...{ id: execution.id, created },
      endedAtOnce: created && isFinished(execution.status),
      settled: async (signal) => {
        const view = isKnown
          ? this.#view(principal, execution, { logs })
          : await this.#settled(principal, execution, { waitMs, signal, exit });
        return created && diagnostics.length > 0 ? { ...view, diagnostics } : view;
      },
    };
  }

  async list(
    principal: Principal,
    { status, clientId, ...page }: ExecutionQuery,
  ): Promise<Page<ExecutionSummary>> {
    const { items, ...rest } = await this.#deps.store.executions.list(
      principal.workspaceId,
      { status, clientId, ownerId: principal.kind === 'agent' ? ownerOf(principal) : undefined },
      page,
    );
    return { items: items.map(executionSummary), ...rest };
  }

  async get(principal: Principal, id: string): Promise<Execution> {
    return this.#describe(principal, await this.#find(principal, id));
  }

  async calls(principal: Principal, id: string, { cursor, limit }: PageQuery): Promise<Page<Call>> {
    const execution = await this.#find(principal, id);
    const afterIndex = Number(cursor ?? -1);
    if (!Number.isInteger(afterIndex) || afterIndex < -1 || afterIndex > maxEvents) {
      throw new ExecutorError('invalidRequest', `cursor: "${cursor}" is not a nextCursor of this list.`);
    }
    const bounds = { limit, maxBytes: maxPageBytes };
    const { events, hasMore } = await this.#deps.store.executions.callPage(id, { afterIndex, ...bounds });
    const items = callViews(id, events, isFinished(execution.status));
    const last = items.at(-1);
    return { items, ...(hasMore && last && { nextCursor: String(last.index) }) };
  }

  /** The events until the run has finished or the signal aborts. Throws before the first event if the run does not exist. */
  async events(
    principal: Principal,
    id: string,
    { after, follow }: { after?: string | undefined; follow: boolean },
    signal: AbortSignal,
  ): Promise<AsyncIterable<ExecutionEvent>> {
    const { status } = await this.#find(principal, id);
    const seq = Number(after ?? 0);
    if (!Number.isInteger(seq) || seq < 0 || seq > maxEvents) {
      throw new ExecutorError(
        'invalidRequest',
        `"${after}" is not the id of an event of this run: a number, from 1.`,
      );
    }
    // A finished run gets no more events.
    const more = follow && !isFinished(status);
    return eventsOfRun(id, seq, { store: this.#deps.store, follow: more, signal });
  }

  /**
   * The events of all runs, interactions and sources of the workspace, from now on if `after` is absent. Throws before the first event if
   * `after` is not the id of an event.
   */
  async workspaceEvents(
    { workspaceId }: Principal,
    { after, follow }: { after?: string | undefined; follow: boolean },
    signal: AbortSignal,
  ): Promise<AsyncIterable<WorkspaceEvent>> {
    const { store } = this.#deps;
    const from = after ?? (await store.executions.feedEnd(workspaceId));
    if (after !== undefined) await store.executions.feed(workspaceId, { after, limit: 1 });
    return eventsOfWorkspace(workspaceId, from, { store, follow, signal });
  }

  async wait(
    principal: Principal,
    id: string,
    { waitMs }: { waitMs: number },
    signal?: AbortSignal,
  ): Promise<Execution> {
    const execution = await this.#find(principal, id);
    return this.#settled(principal, execution, { waitMs, signal });
  }

  /**
   * Waits until the run has finished or asks a new question. `known` are the ids of questions that are not new, by default all that are
   * pending now. Also returns when a question in `shown` is answered and the run still waits, so that a client that shows only a few
   * questions at once can show the next one.
   */
  async waitForAnswer(
    principal: Principal,
    id: string,
    { waitMs, known, shown = [] }: { waitMs: number; known?: readonly string[]; shown?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<Execution> {
    const before = known ?? (await this.get(principal, id)).interactions.map(interactionIdOf);
    const hasChanged = ({ status, interactions }: Execution) => {
      const asked = interactions.map(interactionIdOf);
      const isChanged =
        asked.some((one) => !before.includes(one)) || shown.some((one) => !asked.includes(one));
      return status === 'waiting' && asked.length > 0 && isChanged;
    };
    return this.#until(principal, id, (run) => isFinished(run.status) || hasChanged(run), { waitMs, signal });
  }

  /** Waits until there is news for a caller who saw `run` and its questions `shown`. */
  waitForNews(
    principal: Principal,
    run: Execution,
    { waitMs, shown }: { waitMs: number; shown: readonly string[] },
    signal?: AbortSignal,
  ): Promise<Execution> {
    return this.#until(principal, run.id, newsSince(run, shown), { waitMs, signal });
  }

  async cancel(principal: Principal, id: string): Promise<Execution> {
    const { store, clock } = this.#deps;
    await this.#find(principal, id);
    if (principal.kind === 'agent') await this.#deps.quotas.takeAuditRow(accountOf(principal));
    const at = clock.now();
    const outcome = await store.executions.cancel(
      principal.workspaceId,
      id,
      {
        requested: { type: 'execution.cancelRequested', actorId: principal.actorId, at },
        cancelled: { type: 'execution.cancelled', at },
      },
      auditEntry(principal, at, { action: 'execution.cancelled', target: id }),
    );
    // Its holder reads the request at once. If not, the response shows the present state.
    if (outcome === 'requested') {
      return this.#until(principal, id, ({ status }) => isFinished(status), { waitMs: cancelWaitMs });
    }
    return this.get(principal, id);
  }

  async replay(principal: Principal, id: string): Promise<ReplayReport> {
    const execution = await this.#find(principal, id);
    if (!isFinished(execution.status)) {
      throw new ExecutorError(
        'conflict',
        `The run ${id} has not finished: it is ${execution.status}. Only a finished run can be replayed.`,
      );
    }
    if (execution.removed) {
      throw new ExecutorError('gone', `The run ${id} cannot be replayed. ${execution.removed.hint}`);
    }
    const { store, resources } = this.#deps;
    const { historyBytes } = resources.held;
    const account = accountOf(principal);
    const state = emptyState();
    let hold: Hold | undefined;
    try {
      for (let seq = 0; ; ) {
        const { events, hasMore } = await store.executions.eventPage(id, { afterSeq: seq, ...journalPage });
        for (const event of events) record(state, event);
        if (!hasMore) break;
        seq = events.at(-1)?.seq ?? seq;
        const amount = Math.min(maxJournalBytes, historyBytes.maxFor(account));
        hold ??= await historyBytes.takeWithin(replayWaitMs, account, amount);
      }
      return await replayRun(execution, state, this.#sandbox(execution.runtimeId));
    } finally {
      hold?.release();
    }
  }

  /** The run when it has finished or needs a person, or its state after the wait time. */
  #settled(principal: Principal, { id }: ExecutionRow, waiting: Waiting): Promise<Execution> {
    const needsPerson = ({ status, interactions }: Execution) =>
      status === 'waiting' && interactions.length > 0;
    return this.#until(principal, id, (run) => isFinished(run.status) || needsPerson(run), waiting);
  }

  async #until(
    principal: Principal,
    id: string,
    isReached: (execution: Execution) => boolean,
    { waitMs, signal, exit }: Waiting,
  ): Promise<Execution> {
    const deadline = Date.now() + waitMs;
    let isHere = exit !== undefined;
    const changes = new ChangeSignal(this.#deps.store, (change) => {
      if (change.type !== 'execution' || change.executionId !== id) return false;
      // For the holder: a question was answered.
      if (change.status === undefined) return change.forHolder;
      // A run of this process reports its end itself, which saves a query.
      return isFinished(change.status) ? !isHere : change.status === 'waiting';
    });
    let finished: Execution | undefined;
    void exit?.then((runExit) => {
      isHere = false;
      if (runExit.type === 'finished') finished = this.#view(principal, runExit.execution, runExit);
      changes.poke();
    });
    try {
      if (exit) await changes.next(Math.min(waitMs, lookAgainMs), signal);
      for (;;) {
        const execution = finished ?? (await this.get(principal, id));
        const left = deadline - Date.now();
        if (isReached(execution) || left <= 0 || signal?.aborted) return execution;
        await changes.next(Math.min(left, lookAgainMs), signal);
      }
    } finally {
      changes.close();
    }
  }

  async #describe(principal: Principal, row: ExecutionRow): Promise<Execution> {
    const { store } = this.#deps;
    const events = await allOf((page) => store.executions.eventsOutsideCalls(row.id, page));
    const pending = isFinished(row.status) ? [] : await store.interactions.pendingOf(row.id);
    const completed = events.findLast((event) => event.type === 'execution.completed');
    const view = this.#view(principal, row, {
      logs: logsOf(events),
      pending,
      returned: events.some(({ type }) => type === 'execution.returned'),
      unawaited: completed?.unawaited,
      hints: completed?.hints,
    });
    const diagnostics = diagnosticsOf(events);
    return diagnostics ? { ...view, diagnostics } : view;
  }

  #view(
    principal: Principal,
    row: ExecutionRow,
    { pending = [], ...parts }: Partial<ViewParts> & Pick<ViewParts, 'logs'>,
  ): Execution {
    return executionView(row, { ...parts, pending, baseUrl: this.#deps.baseUrl() }, principal);
  }

  async #find(principal: Principal, id: string): Promise<ExecutionRow> {
    const execution = await this.#deps.store.executions.find(principal.workspaceId, id);
    const mayKnow = principal.kind === 'person' || execution?.ownerId === ownerOf(principal);
    if (execution && mayKnow) return execution;
    throw new ExecutorError(
      'notFound',
      `There is no run "${id}"${principal.kind === 'agent' ? ' of yours' : ''}. \`executor executions ls\` lists them.`,
    );
  }

  #sandbox(runtimeId: string): Sandbox {
    const { sandboxes } = this.#deps;
    const sandbox = sandboxes.get(runtimeId);
    if (sandbox) return sandbox;
    const known = [...sandboxes.keys()];
    const similar = nearest(runtimeId, known);
    throw new ExecutorError(
      'invalidRequest',
      `There is no runtime "${runtimeId}".${similar ? ` Did you mean "${similar}"?` : ''} There is: ${known.join(', ')}.`,
      { details: { runtimes: known } },
    );
  }
}

async function allOf(
  read: (page: { afterSeq: number; limit: number }) => Promise<StoredEvent[]>,
): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const events = await read({ afterSeq: all.at(-1)?.seq ?? 0, limit: eventPage });
    all.push(...events);
    if (events.length < eventPage) return all;
  }
}

/** A repeated request gets the existing run. A different request with the same key is an error. */
function requireSameRequest({ idempotencyKey }: NewExecution, { execution, requestHash }: Started): void {
  if (execution.requestHash === requestHash) return;
  throw new ExecutorError(
    'conflict',
    `The idempotency key "${idempotencyKey}" was used for another request: the run ${execution.id}. Use a new key for new code.`,
    { details: { executionId: execution.id } },
  );
}

function diagnosticsOf(events: StoredEvent[]): Execution['diagnostics'] {
  const created = events.find((event) => event.type === 'execution.created');
  return created?.diagnostics;
}

function logsOf(events: StoredEvent[]): Pick<LogLine, 'at' | 'level' | 'text'>[] {
  return events.flatMap((event) =>
    event.type === 'log' ? [{ at: event.loggedAt, level: event.level, text: event.text }] : [],
  );
}
