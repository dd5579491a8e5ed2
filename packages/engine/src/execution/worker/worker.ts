import type { Worker as WorkerView } from '@executor/protocol';
import type { Clock } from '../../clock.ts';
import type { Leased, LeaseShare } from '../../ports/execution-store.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import type { Store } from '../../ports/store.ts';
import type { WorkerRow } from '../../ports/worker-store.ts';
import { type Account, accountOfRun, executorItself } from '../../resource/account.ts';
import { chargeTo } from '../../resource/charge.ts';
import type { HeldResource, Hold } from '../../resource/held-resource.ts';
import type { Workspaces } from '../../workspace/workspaces.ts';
import { maxJournalBytes } from '../run/journal.ts';
import { Run } from '../run/run.ts';
import type { RunDependencies } from '../run/run-dependencies.ts';
import type { RunExit } from '../run/run-gate.ts';
import type { HeadStart } from './head-start.ts';
import { Heartbeat } from './heartbeat.ts';
import { leaveRuns } from './leave-runs.ts';
import { Probation } from './probation.ts';
import { Retention } from './retention.ts';
import { RunSlot } from './run-slot.ts';
import { SweepTimer } from './sweep-timer.ts';

export interface WorkerOptions {
  store: Store;
  clock: Clock;
  sandboxes: ReadonlyMap<string, Sandbox>;
  workspaces: Pick<Workspaces, 'retentionDays' | 'answerUntil'>;
  run: Pick<
    RunDependencies,
    | 'catalog'
    | 'descriptions'
    | 'policies'
    | 'printer'
    | 'ownCalls'
    | 'validator'
    | 'artifacts'
    | 'quotas'
    | 'jsonReader'
    | 'memory'
    | 'onProblem'
  >;
  identity: Pick<WorkerRow, 'id' | 'host' | 'pid' | 'version'>;
  /** The slots of runs in memory, without idle ones that cannot be released. */
  slots: HeldResource;
  leaseMs?: number | undefined;
  evictAfterMs?: number | undefined;
  /** How long a draining worker waits for calls that must not be repeated. */
  drainMs?: number | undefined;
}

/**
 * If a worker is killed, another one continues its runs within 15 s: leases end after 12 s, and a sweep follows at once, or 3 s later if
 * clocks differ. A lease with a call in flight that must not be repeated is longer, because it outlasts the call.
 */
const defaults = { leaseMs: 12_000, evictAfterMs: 1_000, drainMs: 60_000 };
/** Wake-ups and notices may be lost, so a worker also sweeps at intervals. */
export const sweepEveryMs = { pglite: 60_000, postgres: 3_000 };
const maxAtOnce = 25;
/** How long a busy worker leaves a suspect to idle ones, for each process that ended with it. */
const patienceMs = 1_000;

/** Executes runs in this process: takes leases, renews them, and releases them. */
export class Worker {
  readonly #options: WorkerOptions & typeof defaults;
  readonly #runs = new Map<string, Run>();
  readonly #retention: Retention;
  readonly #nextSweep: SweepTimer;
  readonly #probation: Probation;
  readonly #heartbeat: Heartbeat;
  readonly #startedAt: Date;
  /** Runs that are being created here and have a slot already. */
  #reserved = 0;
  /** Whether a run may be waiting for a slot. If not, a free slot needs no sweep. */
  #crowded = false;
  /** Whether a lease of another process may have expired since the last sweep. */
  #mayHaveLosses = true;
  /** Whether runs that waited for the end of a probation come before the next suspect. */
  #othersFirst = false;
  #state: 'idle' | 'starting' | 'started' | 'draining' = 'idle';
  #sweeping: Promise<void> | undefined;
  #sweepAgain = false;
  #unsubscribe = () => {};
  #wakeUps: Promise<{ stop(): Promise<void> } | undefined> = Promise.resolve(undefined);

  constructor({ leaseMs, evictAfterMs, drainMs, ...options }: WorkerOptions) {
    this.#options = {
      ...options,
      leaseMs: leaseMs ?? defaults.leaseMs,
      evictAfterMs: evictAfterMs ?? defaults.evictAfterMs,
      drainMs: drainMs ?? defaults.drainMs,
    };
    this.#retention = new Retention(options);
    this.#nextSweep = new SweepTimer(options.clock, () => {
      this.#mayHaveLosses = true;
      this.sweep();
    });
    this.#probation = new Probation({
      ...options,
      onEnd: () => {
        this.#othersFirst = true;
        this.sweep();
      },
    });
    this.#heartbeat = new Heartbeat({
      ...this.#options,
      runs: this.#runs,
      row: () => this.#row(),
    });
    this.#startedAt = options.clock.now();
  }

  /** Starts to take runs. Throws if the database is unavailable; the caller may try again. */
  async start(): Promise<void> {
    if (this.#state !== 'idle') return;
    this.#state = 'starting';
    const { store } = this.#options;
    try {
      // The lock of an embedded database proves that the previous holder of these runs is gone.
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
      // The first worker that gets the notice takes the run, without waiting for the queue.
      const wake = () => this.#wake([change.executionId]);
      // Its key was revoked. The database accepts nothing of it any more.
      if (change.forHolder && change.status === 'cancelled') this.#runs.get(change.executionId)?.lose();
      if (change.forHolder) void chargeTo(executorItself, wake).catch(() => {});
    });
    this.#heartbeat.start();
    this.#retention.start();
    this.sweep();
    this.#wakeUps = store
      .receiveWakeUps((ids) => this.#wake(ids))
      .catch((error) => {
        this.#options.run.onProblem('wake-ups cannot be received; the worker only sweeps at intervals', {
          error,
        });
        return undefined;
      });
  }

  /** Reserves a slot for a run that is about to be created here, if its owner has one left. */
  reserve(account: Account):
    | {
        lease: { owner: string; ttlMs: number };
        use(leased: Leased, headStart?: HeadStart): Promise<RunExit>;
        free(): void;
      }
    | undefined {
    if (this.#state !== 'started') return undefined;
    const hold = this.#mayBegin(account) ? this.#options.slots.tryTake(account) : undefined;
    if (hold === undefined) {
      this.#crowded = true;
      return undefined;
    }
    this.#reserved += 1;
    let taken = false;
    const take = () => {
      if (taken) return false;
      taken = true;
      this.#reserved -= 1;
      return true;
    };
    return {
      lease: { owner: this.#options.identity.id, ttlMs: this.#options.leaseMs },
      use: (leased, headStart) => {
        take();
        return this.#hold(leased, { hold, headStart });
      },
      free: () => {
        if (!take()) return;
        hold.release();
        this.#sweepIfCrowded();
      },
    };
  }

  /** A suspect is alone for a moment, so that a crash shows whether it is the cause. A person does not wait for that. */
  #mayBegin({ kind }: Account): boolean {
    return kind === 'person' || !this.#probation.isOn;
  }

  /** Takes runs that nobody holds. */
  sweep(): void {
    if (this.#state !== 'started') return;
    this.#sweepAgain = true;
    // A sweep may begin in the request of an agent, but serves everybody. So do leases.
    this.#sweeping ??= chargeTo(executorItself, () => this.#sweepAll()).finally(() => {
      this.#sweeping = undefined;
      if (this.#sweepAgain) this.sweep();
    });
  }

  /** Takes no more runs, and leaves those that it has. */
  async drain(graceMs = this.#options.drainMs): Promise<void> {
    if (this.#state === 'idle') return;
    this.#state = 'draining';
    this.#nextSweep.cancel();
    this.#retention.stop();
    await Promise.all([this.#wakeUps.then((receiver) => receiver?.stop()), this.#sweeping]);
    const { clock, run } = this.#options;
    const reserved = () => this.#reserved;
    await leaveRuns({ clock, runs: this.#runs, reserved, onProblem: run.onProblem }, graceMs);
    this.#state = 'idle';
    this.#unsubscribe();
    await this.#heartbeat.stop();
  }

  /** All live workers, of all processes. */
  list(): Promise<WorkerView[]> {
    return this.#heartbeat.list();
  }

  async #hold(
    leased: Leased,
    { hold, headStart }: { hold?: Hold; headStart?: HeadStart | undefined } = {},
  ): Promise<RunExit> {
    const slot = new RunSlot(this.#options.slots, accountOfRun(leased.execution), hold);
    try {
      const account = accountOfRun(leased.execution);
      return await chargeTo(account, () => this.#executeIn(slot, leased, headStart));
    } finally {
      slot.end();
      this.#sweepIfCrowded();
    }
  }

  async #executeIn(slot: RunSlot, leased: Leased, headStart: HeadStart | undefined): Promise<RunExit> {
    if (this.#state === 'idle') {
      headStart?.cancel();
      return this.#giveBack(leased);
    }
    const { execution } = leased;
    const { identity, run: dependencies, store, clock, workspaces, evictAfterMs, sandboxes } = this.#options;
    const sandbox = sandboxes.get(execution.runtimeId);
    if (sandbox === undefined)
      return this.#fail(leased, `The runtime "${execution.runtimeId}" no longer exists.`);
    const endProbation = this.#probation.begin(leased, identity.id);
    const run: Run = new Run(leased, identity.id, {
      ...dependencies,
      store,
      clock,
      workspaces,
      sandbox,
      workerId: identity.id,
      evictAfterMs,
      maxJournalBytes,
      headStart,
      onIdle: () => this.#makeRoom(run, slot),
      onBusy: () => slot.resume(),
    });
    // This process may have been suspended past its own lease, and then have taken the run like any other.
    this.#runs.get(run.id)?.lose();
    this.#runs.set(run.id, run);
    try {
      const exit = await run.execute();
      if (exit.type === 'released' && exit.wakeAt !== undefined) this.#sweepBy(exit.wakeAt);
      return exit;
    } finally {
      endProbation();
      // Until then, the end of this process waits for calls that were sent.
      void run.settled.finally(() => {
        if (this.#runs.get(run.id) === run) this.#runs.delete(run.id);
      });
    }
  }

  /** Ends a run that cannot be started. */
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

  /** The run was created or taken for this worker, which has ended meanwhile. */
  async #giveBack({ execution, epoch }: Leased): Promise<RunExit> {
    const { store, identity } = this.#options;
    const { id, lastSeq: knownSeq } = execution;
    // If this fails, the lease ends by itself.
    await store.executions
      .release({ id, owner: identity.id, epoch }, { status: 'queued', knownSeq })
      .catch(() => {});
    return { type: 'released', wakeAt: undefined };
  }

  /** An idle run does not keep others from running. */
  #makeRoom(run: Run, slot: RunSlot): void {
    if (run.isPinned) {
      slot.lend();
      this.#sweepIfCrowded();
    } else if (this.#isCrowded()) void run.release();
  }

  #sweepIfCrowded(): void {
    if (this.#crowded) this.sweep();
  }

  /** Whether some owner can get no slot now. */
  #isCrowded(): boolean {
    const { agents, full } = this.#options.slots.room;
    return agents <= 0 || full.length > 0;
  }

  async #sweepAll(): Promise<void> {
    const { store, identity, leaseMs, run, slots } = this.#options;
    this.#nextSweep.cancel();
    let againMs = sweepEveryMs[store.kind];
    try {
      while (this.#sweepAgain && this.#state === 'started') {
        this.#sweepAgain = false;
        if (this.#mayHaveLosses) await store.executions.noteLosses(identity.id);
        this.#mayHaveLosses = false;
        const share = this.#share();
        if (share.limit <= 0) break;
        const leased = await store.executions.leaseNext(identity.id, leaseMs, share);
        for (const one of leased)
          this.#hold(one).catch((error) => run.onProblem('a run failed unexpectedly', { error }));
        if (leased.length >= share.limit || this.#othersFirst) this.#sweepAgain = true;
        this.#othersFirst = false;
      }
      const { total, full } = slots.room;
      const { agents, suspectAfterMs } = this.#share();
      this.#crowded = this.#isCrowded();
      const runnableAt = await store.executions.nextRunnableAt({
        agents: agents > 0,
        except: full,
        suspectAfterMs,
      });
      if (runnableAt !== undefined && total > 0) this.#sweepBy(runnableAt.getTime());
    } catch (error) {
      run.onProblem('the worker could not look for runs', { error });
      againMs = 1_000;
    }
    if (this.#state === 'started') this.#nextSweep.after(againMs);
  }

  /** How many runs this worker may take now. */
  #share(): LeaseShare {
    const { slots } = this.#options;
    const { total, agents, perOwner, held } = slots.room;
    const suspectAfterMs = this.#suspectAfterMs();
    return {
      limit: Math.min(total, maxAtOnce),
      agents: this.#probation.isOn ? 0 : agents,
      perOwner,
      held,
      ...(suspectAfterMs !== undefined && { suspectAfterMs }),
    };
  }

  /** One suspect at a time. An idle process is the better place for it, because there it is alone. */
  #suspectAfterMs(): number | undefined {
    if (this.#probation.isOn || this.#othersFirst) return undefined;
    const isIdle = this.#runs.size + this.#reserved === 0;
    return isIdle || this.#options.store.kind === 'pglite' ? 0 : patienceMs;
  }

  #sweepBy(time: number): void {
    if (this.#state === 'started') this.#nextSweep.by(time);
  }

  async #wake(executionIds: string[]): Promise<void> {
    const { store, identity, leaseMs, run } = this.#options;
    for (const id of executionIds) {
      const held = this.#runs.get(id);
      if (held) held.readJournal();
      if (held || this.#state !== 'started') continue;
      // A sweep chooses in turns which of the waiting runs gets the next slot.
      if (this.#isCrowded() || this.#probation.isOn) {
        this.sweep();
        return;
      }
      const leased = await store.executions.lease(id, identity.id, leaseMs);
      if (leased) this.#hold(leased).catch((error) => run.onProblem('a run failed unexpectedly', { error }));
    }
  }

  #row(): Omit<WorkerRow, 'seenAt'> {
    const { identity, slots } = this.#options;
    return {
      ...identity,
      concurrency: slots.limits.total,
      running: this.#runs.size,
      draining: this.#state === 'draining',
      startedAt: this.#startedAt,
    };
  }

  /** Whether it was not drained meanwhile. */
  #isStarting(): boolean {
    return this.#state === 'starting';
  }
}
