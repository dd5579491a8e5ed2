import type { Worker as WorkerView } from '@executor/protocol';
import type { Clock } from '../clock.ts';
import type { Leased } from '../ports/execution-store.ts';
import type { Sandbox } from '../ports/sandbox.ts';
import type { Store } from '../ports/store.ts';
import type { WorkerRow } from '../ports/worker-store.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { HeadStart } from './head-start.ts';
import type { RunExit } from './hold.ts';
import { NextLook } from './next-look.ts';
import { Retention } from './retention.ts';
import { Run } from './run.ts';
import type { RunDependencies } from './run-dependencies.ts';

export interface WorkerOptions {
  store: Store;
  clock: Clock;
  sandboxes: ReadonlyMap<string, Sandbox>;
  workspaces: Pick<Workspaces, 'retentionDays' | 'answerUntil'>;
  run: Pick<
    RunDependencies,
    'catalog' | 'descriptions' | 'policies' | 'validator' | 'artifacts' | 'onProblem'
  >;
  identity: Pick<WorkerRow, 'id' | 'host' | 'pid' | 'version'>;
  /** Runs in memory at once, without those that only wait and cannot be dropped. */
  concurrency?: number | undefined;
  leaseMs?: number | undefined;
  evictAfterMs?: number | undefined;
  /** How long one that drains waits for calls that must not be made twice. */
  drainMs?: number | undefined;
}

const defaults = { concurrency: 100, leaseMs: 30_000, evictAfterMs: 1_000, drainMs: 60_000 };
const maxJournalBytes = 64 * 1024 * 1024;
/** Wake-ups and notices may get lost: another look costs little. */
const sweepEveryMs = { pglite: 60_000, postgres: 5_000 };
const maxAtOnce = 25;
/** How long a worker that has to end lets runs go on that could as well go on elsewhere, so that most of them come to their end. */
const patienceMs = 8_000;
/** How long it then tries to write what it knows. */
const lastWordsMs = 1_000;

/** Runs executions in this process: takes leases, keeps them, and gives them back. */
export class Worker {
  readonly #options: WorkerOptions & typeof defaults;
  readonly #runs = new Map<string, Run>();
  readonly #retention: Retention;
  readonly #nextSweep: NextLook;
  readonly #startedAt: Date;
  /** Places that are promised to runs which are being created. */
  #promised = 0;
  #state: 'idle' | 'starting' | 'started' | 'draining' = 'idle';
  #sweeping: Promise<void> | undefined;
  #sweepAgain = false;
  #callOffHeartbeat = () => {};
  #unsubscribe = () => {};
  #wakeUps: Promise<{ stop(): Promise<void> } | undefined> = Promise.resolve(undefined);

  constructor({ concurrency, leaseMs, evictAfterMs, drainMs, ...options }: WorkerOptions) {
    this.#options = {
      ...options,
      concurrency: concurrency ?? defaults.concurrency,
      leaseMs: leaseMs ?? defaults.leaseMs,
      evictAfterMs: evictAfterMs ?? defaults.evictAfterMs,
      drainMs: drainMs ?? defaults.drainMs,
    };
    this.#retention = new Retention(options);
    this.#nextSweep = new NextLook(options.clock, () => this.sweep());
    this.#startedAt = options.clock.now();
  }

  /** Begins to take runs. Where that fails, because the database is away, it may be tried again. */
  async start(): Promise<void> {
    if (this.#state !== 'idle') return;
    this.#state = 'starting';
    const { store } = this.#options;
    try {
      // The lock of an embedded database proves that whoever held these runs is gone.
      if (store.kind === 'pglite') await store.executions.endLeases();
    } catch (error) {
      this.#state = 'idle';
      throw error;
    }
    if (this.#isStarting()) this.#begin();
  }

  #begin(): void {
    const { store } = this.#options;
    this.#state = 'started';
    this.#unsubscribe = store.subscribe((change) => {
      if (change.type !== 'execution') return;
      if (change.status === 'queued') this.sweep();
      // Whoever hears of it first takes it: nobody should wait for the queue's next look.
      if (change.forHolder) void this.#wake([change.executionId]).catch(() => {});
    });
    this.#beat();
    this.#retention.start();
    this.sweep();
    this.#wakeUps = store
      .receiveWakeUps((ids) => this.#wake(ids))
      .catch((error) => {
        this.#options.run.onProblem('wake-ups cannot be received; runs are looked for now and then', {
          error,
        });
        return undefined;
      });
  }

  /** A place for a run that is about to be created here, if there is one. */
  reserve():
    | {
        lease: { owner: string; ttlMs: number };
        use(leased: Leased, headStart?: HeadStart): Promise<RunExit>;
        free(): void;
      }
    | undefined {
    if (this.#state !== 'started' || this.#free() <= 0) return undefined;
    this.#promised += 1;
    let taken = false;
    const free = () => {
      if (taken) return;
      taken = true;
      this.#promised -= 1;
      if (this.#free() === 1) this.sweep();
    };
    return {
      lease: { owner: this.#options.identity.id, ttlMs: this.#options.leaseMs },
      use: (leased, headStart) => {
        const exit = this.#hold(leased, headStart);
        free();
        return exit;
      },
      free,
    };
  }

  /** Looks for runs that nobody holds, now. */
  sweep(): void {
    if (this.#state !== 'started') return;
    this.#sweepAgain = true;
    this.#sweeping ??= this.#sweepAll().finally(() => {
      this.#sweeping = undefined;
      if (this.#sweepAgain) this.sweep();
    });
  }

  /**
   * Takes no more runs and gives back those that can be given back. The others go on for a while, and those with a call under way that must
   * not be made twice until that call has ended, for as long as there is grace: otherwise a person would be asked whether it happened.
   */
  async drain(graceMs = this.#options.drainMs): Promise<void> {
    if (this.#state === 'idle') return;
    this.#state = 'draining';
    this.#nextSweep.callOff();
    this.#retention.stop();
    await Promise.all([this.#wakeUps.then((receiver) => receiver?.stop()), this.#sweeping]);
    const began = this.#options.clock.elapsed();
    const deadline = began + graceMs;
    await this.#giveBackAll(Math.min(deadline, began + patienceMs));
    await this.#leaveAll(deadline);
    this.#tellAbandoned();
    await this.#orBy(this.#options.clock.elapsed() + lastWordsMs, this.#abandonAll());
    // The database does not answer; the leases end by themselves.
    for (const run of this.#runs.values()) run.lose();
    // Before anything else: a renewal that is under way would plan the next one.
    this.#state = 'idle';
    this.#callOffHeartbeat();
    this.#unsubscribe();
    const { store, identity } = this.#options;
    if (store.kind === 'postgres') await store.workers.remove(identity.id).catch(() => {});
  }

  /** All workers that live, in whatever process. */
  async list(): Promise<WorkerView[]> {
    const { store, leaseMs, clock } = this.#options;
    const rows =
      store.kind === 'postgres'
        ? await store.workers.list(leaseMs * 2)
        : this.#state === 'idle'
          ? []
          : [{ ...this.#row(), seenAt: clock.now() }];
    return rows.map(({ startedAt, seenAt, ...row }) => ({
      ...row,
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
    }));
  }

  async #hold(leased: Leased, headStart?: HeadStart): Promise<RunExit> {
    if (this.#state === 'idle') {
      headStart?.cancel();
      return this.#giveBack(leased);
    }
    const { execution } = leased;
    const { identity, run: dependencies, store, clock, workspaces, evictAfterMs, sandboxes } = this.#options;
    const sandbox = sandboxes.get(execution.runtimeId);
    if (sandbox === undefined)
      return this.#fail(leased, `There is no runtime "${execution.runtimeId}" any more.`);
    const run = new Run(leased, identity.id, {
      ...dependencies,
      store,
      clock,
      workspaces,
      sandbox,
      workerId: identity.id,
      evictAfterMs,
      maxJournalBytes,
      headStart,
      onResting: (resting) => this.#makeRoom(resting),
    });
    // This process may have slept past its own lease, and found the run as any other would have.
    this.#runs.get(run.id)?.lose();
    this.#runs.set(run.id, run);
    try {
      const exit = await run.go();
      if (exit.type === 'released' && exit.wakeAt !== undefined) this.#sweepBy(exit.wakeAt);
      return exit;
    } finally {
      if (this.#runs.get(run.id) === run) this.#runs.delete(run.id);
      if (this.#free() === 1) this.sweep();
    }
  }

  /** For a run that cannot even begin. */
  async #fail({ execution, epoch }: Leased, message: string): Promise<RunExit> {
    const { store, identity, clock } = this.#options;
    const finishedAt = clock.now();
    const error = { code: 'internal', message };
    await store.executions.finish({ id: execution.id, owner: identity.id, epoch }, 1, {
      ...{ status: 'failed', result: null, error, omitted: null, usage: null, finishedAt },
      events: [{ type: 'execution.failed', ...error, at: finishedAt }],
    });
    return { type: 'lost' };
  }

  /** Until there is nothing left to give back, or that much running time has passed. */
  async #giveBackAll(deadline: number): Promise<void> {
    const { clock } = this.#options;
    while (this.#runs.size + this.#promised > 0 && clock.elapsed() < deadline) {
      await this.#orBy(deadline, Promise.all([...this.#runs.values()].map((run) => run.release())));
      if (this.#runs.size + this.#promised > 0) await this.#pause();
    }
  }

  /** Until the last call has ended that must not be made twice, or that much running time has passed. */
  async #leaveAll(deadline: number): Promise<void> {
    const { clock } = this.#options;
    while (this.#runs.size > 0 && clock.elapsed() < deadline) {
      for (const run of this.#runs.values()) run.leave();
      await this.#pause();
    }
  }

  #tellAbandoned(): void {
    for (const { id, uncertainCalls: calls } of this.#runs.values()) {
      if (calls.length === 0) continue;
      const message =
        'the worker ends before calls that must not be made twice; a person will be asked whether they happened';
      this.#options.run.onProblem(message, { executionId: id, calls });
    }
  }

  async #abandonAll(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.abandon()));
    while (this.#runs.size > 0 && this.#state === 'draining') await this.#pause();
  }

  #pause(): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => clock.after(20, resolve));
  }

  /** Waits no longer than until that much running time has passed. */
  async #orBy(deadline: number, done: Promise<unknown>): Promise<void> {
    const { clock } = this.#options;
    let callOff = () => {};
    const late = new Promise<void>((resolve) => {
      callOff = clock.after(Math.max(0, deadline - clock.elapsed()), resolve);
    });
    await Promise.race([done, late]);
    callOff();
  }

  /** It was created or taken for this worker, which has ended meanwhile. */
  async #giveBack({ execution, epoch }: Leased): Promise<RunExit> {
    const { store, identity } = this.#options;
    const { id, lastSeq: knownSeq } = execution;
    // Where this fails, its lease ends by itself.
    await store.executions
      .release({ id, owner: identity.id, epoch }, { status: 'queued', knownSeq })
      .catch(() => {});
    return { type: 'released', wakeAt: undefined };
  }

  /** A run that only waits does not keep others from running. */
  #makeRoom(run: Run): void {
    if (run.isPinned) this.sweep();
    else if (this.#free() <= 0) void run.release();
  }

  async #sweepAll(): Promise<void> {
    const { store, identity, leaseMs, run } = this.#options;
    this.#nextSweep.callOff();
    let againMs = sweepEveryMs[store.kind];
    try {
      while (this.#sweepAgain && this.#state === 'started') {
        this.#sweepAgain = false;
        const limit = Math.min(this.#free(), maxAtOnce);
        if (limit <= 0) break;
        const leased = await store.executions.leaseNext(identity.id, leaseMs, limit);
        for (const one of leased) this.#hold(one).catch((error) => run.onProblem('a run broke', { error }));
        if (leased.length === limit) this.#sweepAgain = true;
      }
      const runnableAt = await store.executions.nextRunnableAt();
      if (runnableAt !== undefined && this.#free() > 0) this.#sweepBy(runnableAt.getTime());
    } catch (error) {
      run.onProblem('runs could not be looked for', { error });
      againMs = 1_000;
    }
    if (this.#state === 'started') this.#nextSweep.after(againMs);
  }

  #sweepBy(time: number): void {
    if (this.#state === 'started') this.#nextSweep.by(time);
  }

  async #wake(executionIds: string[]): Promise<void> {
    const { store, identity, leaseMs, run } = this.#options;
    for (const id of executionIds) {
      const held = this.#runs.get(id);
      if (held) held.nudge();
      if (held || this.#free() <= 0 || this.#state !== 'started') continue;
      const leased = await store.executions.lease(id, identity.id, leaseMs);
      if (leased) this.#hold(leased).catch((error) => run.onProblem('a run broke', { error }));
    }
  }

  /** Prolongs what is held; a run that is somebody else's now is dropped. */
  #beat(): void {
    const { clock, leaseMs } = this.#options;
    this.#callOffHeartbeat = clock.after(leaseMs / 3, () => {
      void this.#renew().finally(() => {
        if (this.#state !== 'idle') this.#beat();
      });
    });
    void this.#announce();
  }

  async #renew(): Promise<void> {
    const { store, leaseMs } = this.#options;
    const held = [...this.#runs.values()];
    if (held.length === 0) return;
    const kept = new Set(
      await store.executions
        .renew(
          held.map(({ lease }) => lease),
          leaseMs,
        )
        .catch(() => held.map(({ id }) => id)),
    );
    for (const run of held) {
      if (this.#runs.get(run.id) !== run) continue;
      // Notices get lost, and a run in the middle of a call is not given back, which is when it would find out.
      if (kept.has(run.id)) run.nudge();
      else run.lose();
    }
  }

  async #announce(): Promise<void> {
    const { store } = this.#options;
    if (store.kind === 'postgres') await store.workers.announce(this.#row()).catch(() => {});
  }

  #row(): Omit<WorkerRow, 'seenAt'> {
    const { identity, concurrency } = this.#options;
    return {
      ...identity,
      concurrency,
      running: this.#runs.size,
      draining: this.#state === 'draining',
      startedAt: this.#startedAt,
    };
  }

  /** Whether nobody has drained it meanwhile. */
  #isStarting(): boolean {
    return this.#state === 'starting';
  }

  #free(): number {
    let busy = this.#promised;
    for (const run of this.#runs.values()) if (!run.isPinned) busy += 1;
    return this.#options.concurrency - busy;
  }
}
