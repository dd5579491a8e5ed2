import type {
  EventPage,
  ExecutionListRow,
  ExecutionRow,
  ExecutionStore,
  Lease,
  Leased,
  LeaseShare,
  PageBounds,
  RunEnding,
  RunStart,
  RunWrite,
} from '../../src/ports/execution-store.ts';
import type { StoredEvent } from '../../src/ports/journal-event.ts';
import type { Page } from '../../src/ports/page.ts';
import { leaseLost, type ModelTables, type RunRow, runnableAt } from './model-tables.ts';
import type { Immediate } from './over-wire.ts';

type Port = Immediate<ExecutionStore>;

/** An in-memory implementation of the port for runs and journals. */
export class ModelExecutions implements Port {
  protected readonly tables: ModelTables;

  constructor(tables: ModelTables) {
    this.tables = tables;
  }

  create(...[execution, events, start]: Parameters<Port['create']>): ReturnType<Port['create']> {
    const existing = this.#byKey(execution);
    if (existing) return { execution: { ...existing.row }, created: false };
    const run = newRun(execution, start, this.tables.now);
    this.tables.runs.set(execution.id, run);
    this.tables.append(run, events);
    this.tables.outlets.committed({ type: 'created', run });
    this.tables.changed(run, { status: run.row.status });
    if (start.type === 'queued') this.tables.outlets.wake(execution.id, this.tables.now);
    return { execution: { ...run.row }, created: true };
  }

  find(workspaceId: string, id: string): ExecutionRow | undefined {
    const run = this.tables.runs.get(id);
    return run?.row.workspaceId === workspaceId ? { ...run.row } : undefined;
  }

  list(...[workspaceId, filter, page]: Parameters<Port['list']>): Page<ExecutionListRow> {
    const rows = [...this.tables.runs.values()]
      .map(({ row }) => row)
      .filter((row) => row.workspaceId === workspaceId)
      .filter(({ status }) => filter.status === undefined || status === filter.status)
      .filter(({ clientId }) => filter.clientId === undefined || clientId === filter.clientId)
      .filter(({ ownerId }) => filter.ownerId === undefined || ownerId === filter.ownerId)
      .filter(({ id }) => page.cursor === undefined || id < page.cursor)
      .sort((one, other) => (one.id < other.id ? 1 : -1));
    const items = rows.slice(0, page.limit).map((row) => this.#listed(row));
    const last = items.at(-1);
    return rows.length > page.limit && last ? { items, nextCursor: last.id } : { items };
  }

  events(...[id, { afterSeq, limit, types }]: Parameters<Port['events']>): ReturnType<Port['events']> {
    const events = this.tables.runs.get(id)?.events ?? [];
    const wanted = events.filter(({ seq, type }) => seq > afterSeq && (types?.includes(type) ?? true));
    return wanted.slice(0, limit);
  }

  eventsOutsideCalls(
    ...[id, { afterSeq, limit }]: Parameters<Port['eventsOutsideCalls']>
  ): ReturnType<Port['eventsOutsideCalls']> {
    const events = this.events(id, { afterSeq, limit: Number.MAX_SAFE_INTEGER });
    return events.filter((event) => event.type === 'log' || !('index' in event)).slice(0, limit);
  }

  eventPage(...[id, { afterSeq, ...bounds }]: Parameters<Port['eventPage']>): EventPage {
    const events = this.events(id, { afterSeq, limit: Number.MAX_SAFE_INTEGER });
    return pageOf(
      events.map((event) => [event]),
      bounds,
    );
  }

  callPage(...[id, { afterIndex, ...bounds }]: Parameters<Port['callPage']>): EventPage {
    const calls = new Map<number, StoredEvent[]>();
    for (const event of this.tables.runs.get(id)?.events ?? []) {
      if (event.type === 'log' || !('index' in event) || event.index <= afterIndex) continue;
      calls.set(event.index, [...(calls.get(event.index) ?? []), event]);
    }
    const inOrder = [...calls].sort(([one], [other]) => one - other);
    return pageOf(
      inOrder.map(([, events]) => events),
      bounds,
    );
  }

  feed(...[workspaceId, { after, limit }]: Parameters<Port['feed']>): ReturnType<Port['feed']> {
    const rows = this.tables.feed.filter(
      (row) => row.workspaceId === workspaceId && Number(row.cursor) > Number(after ?? 0),
    );
    return rows.slice(0, limit).map(({ workspaceId: _, ...row }) => row);
  }

  feedEnd(): string {
    return String(this.tables.feed.length);
  }

  lease(id: string, owner: string, ttlMs: number): Leased | undefined {
    const run = this.tables.runs.get(id);
    return run && this.#isReady(run, owner) ? this.#take(run, owner, ttlMs) : undefined;
  }

  leaseNext(owner: string, ttlMs: number, share: LeaseShare): Leased[] {
    const { limit, agents, perOwner, held, suspectAfterMs } = share;
    const suspect = this.#suspect(suspectAfterMs);
    const since = (run: RunRow) => runnableAt(run) ?? 0;
    const turns = new Map<string, number>();
    const runnable = [...this.tables.runs.values()]
      .filter((run) => this.#isReady(run, owner))
      .sort((one, other) => since(one) - since(other))
      .flatMap((run) => {
        const { ownerId, principalKind } = run.row;
        const turn = (turns.get(ownerId) ?? 0) + 1;
        turns.set(ownerId, turn);
        return turn <= perOwner[principalKind] - (held[ownerId] ?? 0) ? [{ run, turn }] : [];
      })
      .sort((one, other) => one.turn - other.turn || since(one.run) - since(other.run));
    const ofKind = (kind: string) => runnable.filter(({ run }) => run.row.principalKind === kind);
    const ofAgents = suspect ? [] : ofKind('agent').slice(0, Math.max(0, agents));
    const ready = [...ofKind('person'), ...ofAgents].slice(0, limit);
    return [...ready, ...(suspect ? [{ run: suspect }] : [])]
      .sort((one, other) => since(one.run) - since(other.run))
      .map(({ run }) => this.#take(run, owner, ttlMs));
  }

  renew(leases: Lease[], ttlMs: number): string[] {
    const held = leases.filter((lease) => this.tables.held(lease));
    for (const lease of held) {
      const run = this.tables.held(lease) as RunRow;
      run.leaseUntil = Math.max(run.leaseUntil, this.tables.now + ttlMs);
      if (run.lostEpoch === run.leaseEpoch) run.losses = { all: 0, alone: 0 };
    }
    return held.map(({ id }) => id);
  }

  holds(lease: Lease): boolean {
    return this.tables.held(lease) !== undefined;
  }

  endLeases(): void {
    for (const run of this.tables.runs.values()) {
      if (run.leaseOwner !== null && run.leaseUntil > this.tables.now) run.leaseUntil = this.tables.now;
    }
  }

  noteLosses(owner: string): void {
    const executing = [...this.tables.runs.values()].filter((run) => this.isBlamed(run));
    const dead = new Set(
      executing
        .filter((run) => run.leaseUntil <= this.tables.now && isUnnoted(run, owner))
        .map(({ leaseOwner }) => leaseOwner as string),
    );
    for (const lost of dead) {
      const together = executing.filter(({ leaseOwner }) => leaseOwner === lost);
      const alone = together.length === 1;
      for (const run of together) {
        if (!isUnnoted(run, owner)) continue;
        run.losses = { all: run.losses.all + 1, alone: run.losses.alone + Number(alone) };
        run.lostEpoch = run.leaseEpoch;
        this.tables.outlets.committed({ type: 'lost', run, owner: lost, alone });
      }
    }
  }

  clearLosses({ id, epoch }: Lease): void {
    const run = this.tables.runs.get(id);
    if (run && (run.leaseEpoch === epoch || run.lostEpoch === epoch)) run.losses = { all: 0, alone: 0 };
  }

  excuseLoss(lease: Lease): void {
    const run = this.tables.held(lease);
    if (run) run.lostEpoch = run.leaseEpoch;
  }

  nextRunnableAt({
    agents,
    except,
    suspectAfterMs,
  }: Parameters<Port['nextRunnableAt']>[0]): Date | undefined {
    const times = [...this.tables.runs.values()].flatMap((run) => {
      const at = runnableAt(run);
      if (at === undefined) return [];
      if (run.losses.all > 0) return suspectAfterMs === undefined ? [] : at + run.losses.all * suspectAfterMs;
      const { ownerId, principalKind } = run.row;
      return !except.includes(ownerId) && (agents || principalKind === 'person') ? at : [];
    });
    return times.length > 0 ? new Date(Math.min(...times)) : undefined;
  }

  append(lease: Lease, batch: number, write: RunWrite): { seq: number } {
    const run = this.writable(lease, batch);
    if (!run) return { seq: this.#repeated(lease, batch).row.lastSeq };
    const { events, status, ask = [], settle = [], leaseMs } = write;
    run.lastBatch = batch;
    if (status) run.row.status = status;
    if (leaseMs !== undefined) run.leaseUntil = Math.max(run.leaseUntil, this.tables.now + leaseMs);
    this.tables.append(run, events);
    for (const asked of ask) {
      const row = { ...asked, status: 'pending', resolvedAt: null, resolution: null } as const;
      this.tables.interactions.set(asked.id, row);
    }
    for (const { id, status, at } of settle) {
      const asked = this.tables.interactions.get(id);
      if (asked?.status !== 'pending' || asked.executionId !== lease.id) continue;
      this.tables.interactions.set(id, { ...asked, status, resolvedAt: at });
    }
    const asked = ask.map(({ callIndex }) => callIndex);
    this.tables.outlets.committed({ type: 'written', run, lease, events, asked, finished: false });
    this.tables.changed(run, status ? { status } : {});
    return { seq: run.row.lastSeq };
  }

  appendOutcome(...[lease, batch, outcome]: Parameters<Port['appendOutcome']>): boolean {
    const { id, owner, epoch } = lease;
    const run = this.tables.runs.get(id);
    if (run?.leaseOwner !== owner || run.leaseEpoch !== epoch || run.lastBatch >= batch) return false;
    const { status, error } = run.row;
    const isRevoked = status === 'cancelled' && error?.code === 'keyRevoked';
    if (status !== 'completed' && status !== 'failed' && !isRevoked) return false;
    const ofCall = run.events.filter((event) => 'index' in event && event.index === outcome.index);
    if (!ofCall.some(({ type }) => type === 'call.dispatched' || type === 'call.decided')) return false;
    if (ofCall.some(({ type }) => type === 'call.completed')) return false;
    run.lastBatch = batch;
    this.tables.append(run, [outcome]);
    this.tables.changed(run, {});
    return true;
  }

  finish(lease: Lease, batch: number, { events, ...ending }: RunEnding): void {
    const run = this.writable(lease, batch);
    if (!run) {
      this.#repeated(lease, batch);
      return;
    }
    run.lastBatch = batch;
    Object.assign(run.row, ending, { wakeAt: null });
    run.leaseUntil = this.tables.now;
    this.tables.append(run, events);
    this.tables.withdrawAll(lease.id, ending.finishedAt);
    this.tables.outlets.committed({ type: 'written', run, lease, events, asked: [], finished: true });
    this.tables.changed(run, { status: ending.status });
  }

  release(...[lease, state]: Parameters<Port['release']>): 'released' | 'unread' {
    const { status, knownSeq, wakeInMs = 0 } = state;
    const isPast = state.wakeAt !== undefined && state.wakeAt.getTime() <= this.tables.now;
    const wakeAt = isPast ? new Date(this.tables.now + wakeInMs) : state.wakeAt;
    const run = this.tables.held(lease);
    if (!run) return this.#releasedBefore(lease);
    if (run.row.lastSeq !== knownSeq) return 'unread';
    run.row.status = status;
    run.row.wakeAt = status === 'waiting' ? (wakeAt ?? null) : null;
    run.leaseOwner = null;
    run.leaseUntil = this.tables.now;
    if (status === 'waiting') run.losses = { all: 0, alone: 0 };
    this.tables.outlets.committed({ type: 'released', run, lease });
    this.tables.changed(run, { status });
    if (status === 'queued') this.tables.outlets.wake(lease.id, this.tables.now);
    else if (wakeAt) this.tables.outlets.wake(lease.id, wakeAt.getTime());
    return 'released';
  }

  cancel(...[workspaceId, id, events]: Parameters<Port['cancel']>): ReturnType<Port['cancel']> {
    const run = this.tables.runs.get(id);
    if (run?.row.workspaceId !== workspaceId) return undefined;
    if (run.row.finishedAt !== null) return 'finished';
    if (run.leaseOwner !== null && run.leaseUntil > this.tables.now) {
      this.tables.append(run, [events.requested]);
      this.tables.outlets.committed({ type: 'cancelled', run });
      this.tables.changed(run, { forHolder: true });
      return 'requested';
    }
    this.tables.append(run, [events.requested, events.cancelled]);
    Object.assign(run.row, { status: 'cancelled', finishedAt: events.cancelled.at, wakeAt: null });
    this.tables.withdrawAll(id, events.cancelled.at);
    this.tables.outlets.committed({ type: 'cancelled', run });
    this.tables.changed(run, { status: 'cancelled', forHolder: true });
    return 'cancelled';
  }

  removeFinished(workspaceId: string, before: Date, limit: number): number {
    const old = [...this.tables.runs.values()]
      .filter(({ row }) => row.workspaceId === workspaceId && row.finishedAt !== null)
      .filter(({ row }) => (row.finishedAt as Date) < before)
      .sort((one, other) => Number(one.row.finishedAt) - Number(other.row.finishedAt))
      .slice(0, limit);
    for (const { row } of old) {
      this.tables.runs.delete(row.id);
      for (const { id, executionId } of this.tables.interactions.values())
        if (executionId === row.id) this.tables.interactions.delete(id);
    }
    return old.length;
  }

  /** The run that this lease may write to, with this batch for the first time. */
  protected writable(lease: Lease, batch: number): RunRow | undefined {
    const run = this.tables.held(lease);
    return run && run.lastBatch < batch ? run : undefined;
  }

  /** The write was made before and only its acknowledgement was lost, or it is not allowed. */
  #repeated({ id, owner, epoch }: Lease, batch: number): RunRow {
    const run = this.tables.runs.get(id);
    if (run?.leaseOwner === owner && run.leaseEpoch === epoch && run.lastBatch >= batch) return run;
    throw leaseLost(id);
  }

  #releasedBefore({ id, epoch }: Lease): 'released' {
    const run = this.tables.runs.get(id);
    if (run?.leaseEpoch === epoch && run.leaseOwner === null && run.row.finishedAt === null)
      return 'released';
    throw leaseLost(id);
  }

  /** Whether its holder counts as dead while it was executing the run. */
  protected isBlamed({ row, leaseOwner }: RunRow): boolean {
    return leaseOwner !== null && row.status === 'running' && row.finishedAt === null;
  }

  #isReady(run: RunRow, owner: string): boolean {
    return this.#isRunnable(run) && run.losses.all === 0 && !(this.isBlamed(run) && isUnnoted(run, owner));
  }

  #suspect(afterMs: number | undefined): RunRow | undefined {
    if (afterMs === undefined) return undefined;
    const since = (run: RunRow) => runnableAt(run) ?? Number.POSITIVE_INFINITY;
    return [...this.tables.runs.values()]
      .filter(({ losses }) => losses.all > 0)
      .filter((run) => since(run) + run.losses.all * afterMs <= this.tables.now)
      .sort((one, other) => other.losses.all - one.losses.all || since(one) - since(other))[0];
  }

  #isRunnable(run: RunRow): boolean {
    const since = runnableAt(run);
    return since !== undefined && since <= this.tables.now;
  }

  #take(run: RunRow, owner: string, ttlMs: number): Leased {
    run.leaseOwner = owner;
    run.leaseEpoch += 1;
    run.leaseUntil = this.tables.now + ttlMs;
    run.lastBatch = 0;
    const startedAt = run.row.startedAt ?? new Date(this.tables.now);
    Object.assign(run.row, { status: 'running', wakeAt: null, startedAt });
    this.tables.outlets.committed({ type: 'leased', run });
    this.tables.changed(run, { status: 'running' });
    const losses = run.losses.all > 0 && { losses: { ...run.losses } };
    return { execution: { ...run.row }, epoch: run.leaseEpoch, ...losses };
  }

  #byKey({ workspaceId, ownerId, idempotencyKey }: Parameters<Port['create']>[0]): RunRow | undefined {
    if (idempotencyKey === null) return undefined;
    return [...this.tables.runs.values()].find(
      ({ row }) =>
        row.workspaceId === workspaceId && row.ownerId === ownerId && row.idempotencyKey === idempotencyKey,
    );
  }

  #listed(row: ExecutionRow): ExecutionListRow {
    const { id, workspaceId, actorId, clientId, runtimeId, status, error, createdAt, startedAt, finishedAt } =
      row;
    const pending = [...this.tables.interactions.values()].filter(
      (asked) => asked.executionId === id && asked.status === 'pending',
    );
    return {
      ...{ id, workspaceId, actorId, clientId, runtimeId, status, error, createdAt, startedAt, finishedAt },
      codeExcerpt: row.code.slice(0, 200).replace(/[\uD800-\uDBFF]$/, ''),
      pendingInteractions: pending.length,
    };
  }
}

/** Whether another process than this one holds the run, and the loss of its lease is not noted yet. */
function isUnnoted({ leaseOwner, lostEpoch, leaseEpoch }: RunRow, owner: string): boolean {
  return leaseOwner !== owner && lostEpoch < leaseEpoch;
}

function newRun(execution: Parameters<Port['create']>[0], start: RunStart, now: number): RunRow {
  const row: ExecutionRow = {
    ...execution,
    status: 'queued',
    result: null,
    error: null,
    omitted: null,
    usage: null,
    startedAt: null,
    finishedAt: null,
    wakeAt: null,
    lastSeq: 0,
    removed: null,
  };
  const free = {
    ...{ row, events: [], leaseOwner: null, leaseEpoch: 0, leaseUntil: now, lastBatch: 0 },
    ...{ losses: { all: 0, alone: 0 }, lostEpoch: 0 },
  };
  const { createdAt: at } = execution;
  switch (start.type) {
    case 'queued':
      return free;
    case 'leased':
      Object.assign(row, { status: 'running', startedAt: at });
      return { ...free, leaseOwner: start.owner, leaseEpoch: 1, leaseUntil: now + start.ttlMs };
    case 'ended':
      Object.assign(row, start.ending, { startedAt: start.startedAt });
      return free;
  }
}

function pageOf(groups: StoredEvent[][], { limit, maxBytes }: PageBounds): EventPage {
  let bytes = 0;
  const tooMuch = groups.findIndex((events, number) => {
    bytes += JSON.stringify(events).length;
    return number >= limit || (number > 0 && bytes > maxBytes);
  });
  return { events: (tooMuch < 0 ? groups : groups.slice(0, tooMuch)).flat(), hasMore: tooMuch >= 0 };
}
