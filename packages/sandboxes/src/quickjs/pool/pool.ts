import { FairQueue, type SandboxHooks, type SandboxOutcome, type SandboxRequest } from '@executor/engine';
import { type ChildCommand, type Confinement, childCommand } from '../child-process/confinement.ts';
import type { PoolOptions } from '../options.ts';
import { SandboxRun, type Turn } from '../run/sandbox-run.ts';
import { excessVms } from './excess-vms.ts';
import { HeavyTurns } from './heavy-turns.ts';
import { LaneProcess } from './lane-process.ts';
import { Shelf } from './shelf.ts';

/*
 * Assigns runs to lanes. A lane is a child process that holds VMs.
 *
 * - Every live VM has a home, the lane that holds it. A run without a home gets one when it has work.
 * - A lane that one run keeps busy is hot. It gets a low priority, and the runs that wait in it are rebuilt in another lane.
 * - Few lanes may be hot at once. Other runs that would keep a lane busy lose it and wait (`HeavyTurns`).
 * - Runs of different owners take turns wherever they wait. The runs of one owner never have homes in all cool lanes.
 * - If the live VMs use too much memory, VMs that wait are dropped: first those of the owner who uses the most.
 * - Some cool lanes are always kept ready.
 */
const cancelMs = 50;
/** How long a waiting VM stays in memory while other runs wait for a slot. */
const crowdedMs = 20;
/** After a turn that leaves so much memory in use, the pool does not wait for the next sweep. */
const largeVmBytes = 8 * 1024 * 1024;
const startFailures = 5;
const maxCrashes = 3;
/**
 * The weight of a lane that something else killed, such as the system when memory is short. That says little about the run: on a busy
 * machine it may hit any lane. It still counts, because the system also kills processes that use too much memory.
 */
const externalKillWeight = 1 / 10;

interface Caller {
  resolve(outcome: SandboxOutcome): void;
  reject(error: unknown): void;
}

export class Pool {
  readonly #lanes = new Set<LaneProcess>();
  readonly #homes = new Map<SandboxRun, LaneProcess>();
  readonly #runs = new Map<SandboxRun, Caller>();
  /** Runs that wait until there is room for one more VM. */
  readonly #admission = new FairQueue<SandboxRun>();
  readonly #heavy: HeavyTurns;
  readonly #shelf: Shelf;
  readonly #command: ChildCommand;
  readonly #sweeper: NodeJS.Timeout;
  #bytesInFlight = 0;
  #lastId = 0;
  #failedStarts = 0;
  #referenced = false;
  #closed = false;
  #activeAt = performance.now();
  readonly #options: PoolOptions;

  constructor(confinement: Confinement, options: PoolOptions) {
    this.#options = options;
    this.#command = childCommand(confinement, 'lane.cjs', options.folder);
    this.#shelf = new Shelf(options.waiting);
    this.#heavy = new HeavyTurns(options.heavy);
    this.#sweeper = setInterval(() => this.#sweep(), options.sweepMs).unref();
  }

  run(request: SandboxRequest, hooks: SandboxHooks, signal?: AbortSignal): Promise<SandboxOutcome> {
    return new Promise((resolve, reject) => {
      const run = new SandboxRun(++this.#lastId, request, hooks, {
        onWork: (worker) => this.#schedule(worker),
        onFinish: (worker, outcome) => this.#finish(worker)?.resolve(outcome),
        onFail: (worker, error) => this.#finish(worker)?.reject(error),
        onBytes: (change) => {
          this.#bytesInFlight += change;
          if (change < 0) this.#admitNext();
        },
      });
      const cancel = () => run.finish({ type: 'cancelled' });
      const unlisten = () => signal?.removeEventListener('abort', cancel);
      this.#runs.set(run, {
        resolve(outcome) {
          unlisten();
          resolve(outcome);
        },
        reject(error) {
          unlisten();
          reject(error);
        },
      });
      this.#setReferenced(true);
      if (signal?.aborted || this.#closed) return cancel();
      signal?.addEventListener('abort', cancel);
      run.checkSource();
      if (!run.finished) this.#schedule(run);
    });
  }

  /** Starts a lane before it is needed: one more than there are runs, up to `lanes.warm`. */
  warmUp(): void {
    const wanted = Math.min(this.#options.lanes.warm, this.#runs.size + 1);
    if (this.#coolLanes().length < wanted && this.#lanes.size < this.#options.lanes.max) this.#startLane();
  }

  stats() {
    const kept = this.#shelf.size;
    return {
      lanes: this.#lanes.size,
      busyLanes: [...this.#lanes].filter(({ current }) => current).length,
      emptyLanes: [...this.#lanes].filter(({ ready, residents }) => ready && residents.size === 0).length,
      hotLanes: [...this.#lanes].filter(({ hot }) => hot).length,
      heavyWaiting: this.#heavy.waiting,
      runs: this.#runs.size,
      liveVms: this.#homes.size,
      keptVms: kept.count,
      keptBytes: kept.bytes,
      bytesInFlight: this.#bytesInFlight,
    };
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#sweeper);
    for (const run of [...this.#runs.keys()]) run.finish({ type: 'cancelled' });
    for (const lane of [...this.#lanes]) lane.kill('cancel');
  }

  get #isIdle(): boolean {
    return this.#runs.size === 0 && performance.now() - this.#activeAt > this.#options.idleMs;
  }

  #schedule(run: SandboxRun): void {
    this.#activeAt = performance.now();
    const home = this.#homes.get(run);
    if (this.#heavy.isWaiting(run)) return;
    if (home?.current?.run === run || home?.queue.includes(run.owner, run)) return;
    if (home && run.vm.type === 'live' && !home.hot && !home.retired) {
      this.#enqueue(home, run);
      return;
    }
    run.loseVm();
    this.#release(run);
    home?.send({ type: 'drop', run: run.id });
    this.#admit(run);
  }

  #admit(run: SandboxRun): void {
    const { owner } = run;
    if (this.#admission.includes(owner, run)) return;
    if (!this.#admission.has(owner) && this.#hasRoomFor(run)) this.#assignLane(run);
    else this.#admission.add(owner, run);
  }

  #hasRoomFor(run: SandboxRun): boolean {
    const { vms, bytesInFlight } = this.#options;
    const fresh = run.vm.type === 'none';
    if (this.#homes.size >= vms || this.#vmsOf(run) >= vms / 2) return false;
    return !fresh || this.#bytesInFlight <= bytesInFlight || this.#homes.size === 0;
  }

  /** Half of the VMs are left to other owners. */
  #vmsOf({ owner }: SandboxRun): number {
    if (this.#homes.size < this.#options.vms / 2) return 0;
    return [...this.#homes.keys()].filter((run) => run.owner === owner).length;
  }

  /** Admits waiting runs in turns while there is room. Some of them may have been cancelled. */
  #admitNext(): void {
    if (this.#admission.size === 0) return;
    const mayLeave = (run: SandboxRun) => run.finished || this.#hasRoomFor(run);
    for (let next = this.#admission.next(mayLeave); next; next = this.#admission.next(mayLeave)) {
      this.#admission.remove(next.owner, next);
      if (!next.finished) this.#assignLane(next);
    }
  }

  #assignLane(run: SandboxRun): void {
    this.#shelf.take(run);
    const lane = this.#chooseLane(run);
    this.#homes.set(run, lane);
    lane.residents.add(run);
    this.#enqueue(lane, run);
    // A lane that is still starting warms up the next one when it is ready.
    if (lane.ready) this.warmUp();
  }

  #enqueue(lane: LaneProcess, run: SandboxRun): void {
    lane.queue.add(run.owner, run);
    this.#pump(lane);
  }

  #pump(lane: LaneProcess): void {
    while (lane.build !== undefined && !lane.current) {
      const run = lane.queue.shift();
      if (!run) return;
      const turn = run.finished ? undefined : tryNextTurn(run, lane.build);
      if (turn && !run.finished) lane.begin(run, turn);
    }
  }

  #chooseLane({ owner }: SandboxRun): LaneProcess {
    const cool = lanesFor(owner, this.#coolLanes());
    const candidates = cool.length > 0 ? cool : [...this.#lanes].filter(({ retired }) => !retired);
    const best = candidates.sort((a, b) => a.load - b.load)[0];
    const room = this.#lanes.size < this.#options.lanes.max;
    if (!best || (cool.length === 0 && room)) return this.#startLane();
    return best;
  }

  #coolLanes(): LaneProcess[] {
    return [...this.#lanes].filter(({ hot, retired }) => !hot && !retired);
  }

  #startLane(): LaneProcess {
    const lane = new LaneProcess(this.#command, {
      onHot: (hot) => this.#limitHeavy(hot),
      onLarge: (large) => this.#limitLarge(large),
      onTurnEnd: (ended, run) => this.#endTurn(ended, run),
      onEnd: (ended) => this.#replace(ended),
    });
    this.#lanes.add(lane);
    lane.setReferenced(this.#referenced);
    return lane;
  }

  #endTurn(lane: LaneProcess, run?: SandboxRun): void {
    if (!run) {
      this.#failedStarts = 0;
      if (!this.#isIdle) this.warmUp();
    }
    const lostVm = run !== undefined && run.vm.type !== 'live';
    if (lostVm && this.#homes.get(run) === lane && !lane.queue.includes(run.owner, run)) {
      this.#release(run);
      this.#shelf.put(run);
    }
    if (run) this.#endHeavy(run);
    if (run && run.vmBytes >= largeVmBytes) this.#dropExcess();
    // The run was cancelled during its slice. Its VM may still wait in the lane.
    if (run?.finished) lane.send({ type: 'drop', run: run.id });
    this.#pump(lane);
    if (lane.retired && lane.load === 0) this.#empty(lane);
    else this.#relieve();
  }

  /** Moves runs out of hot lanes when another lane is free. They had to queue there because all lanes were hot. */
  #relieve(): void {
    const crowded = [...this.#lanes].filter(({ hot, queue }) => hot && queue.size > 0);
    if (crowded.length === 0) return;
    const room = this.#lanes.size < this.#options.lanes.max;
    if (!room && !this.#coolLanes().some(({ load }) => load === 0)) return;
    for (const lane of crowded) this.#evacuate(lane);
  }

  /** The current turn of a lane has become heavy. If too many are, its run loses the lane and waits. */
  #limitHeavy(lane: LaneProcess): void {
    const run = lane.current?.run;
    this.#evacuate(lane);
    if (run && !this.#heavy.admit(run)) lane.kill('room');
  }

  #limitLarge(lane: LaneProcess): void {
    const run = lane.current?.run;
    if (run && !this.#heavy.admitLarge(run)) lane.kill('room');
  }

  #endHeavy(run: SandboxRun): void {
    this.#heavy.end(run);
    for (let next = this.#heavy.next(); next; next = this.#heavy.next()) this.#schedule(next);
  }

  /** Moves the queued runs of a hot lane to other lanes. */
  #evacuate(lane: LaneProcess): void {
    for (const run of lane.queue.drain()) this.#schedule(run);
    this.warmUp();
  }

  #empty(lane: LaneProcess): void {
    for (const run of [...lane.residents]) {
      run.loseVm();
      this.#release(run);
    }
    lane.kill();
  }

  #replace(lane: LaneProcess): void {
    this.#lanes.delete(lane);
    if (!lane.ready) this.#failedStarts += crashWeight(lane);
    const guilty = lane.current?.run;
    const residents = [...lane.residents];
    for (const run of residents) this.#release(run);
    if (guilty) this.#endHeavy(guilty);
    if (guilty && !guilty.finished) this.#blame(guilty, lane);
    for (const run of residents) {
      run.loseVm();
      if (this.#failedStarts >= startFailures) run.finish({ type: 'crashed', message: cannotStart });
      else if (run.hasWork) this.#schedule(run);
    }
    this.#relieve();
  }

  /** A run fails only after several crashes. */
  #blame(run: SandboxRun, lane: LaneProcess): void {
    if (lane.killedFor === 'time') run.timeOut();
    else if (lane.killedFor === 'room') this.#heavy.wait(run);
    else {
      run.crash(crashWeight(lane), lane.cpuOfTurn);
      if (run.crashes >= maxCrashes) run.finish({ type: 'crashed', message: crashes });
    }
  }

  /** Returns the caller that waits for the run. */
  #finish(run: SandboxRun): Caller | undefined {
    const lane = this.#homes.get(run);
    this.#release(run);
    this.#shelf.take(run);
    this.#endHeavy(run);
    if (lane?.current?.run === run) setTimeout(() => this.#killIfStill(lane, run), cancelMs).unref();
    else lane?.send({ type: 'drop', run: run.id });
    const caller = this.#runs.get(run);
    this.#runs.delete(run);
    return caller;
  }

  #killIfStill(lane: LaneProcess, run: SandboxRun): void {
    if (lane.current?.run === run) lane.kill('cancel');
  }

  #release(run: SandboxRun): void {
    const lane = this.#homes.get(run);
    if (!lane) return;
    this.#homes.delete(run);
    lane.residents.delete(run);
    lane.queue.remove(run.owner, run);
    this.#admitNext();
  }

  #sweep(): void {
    const now = performance.now();
    const { waiting, idleMs } = this.#options;
    const patience =
      this.#admission.size > 0 ? Math.min(crowdedMs, waiting.keepAfterMs) : waiting.keepAfterMs;
    for (const [run, lane] of this.#homes) {
      if (now - (run.waitingSince ?? now) > patience) this.#evict(run, lane);
    }
    this.#dropExcess();
    this.#shelf.sweep(now);
    if (this.#runs.size === 0) this.#setReferenced(false);
    for (const lane of [...this.#lanes]) {
      const unused = lane.residents.size === 0 && lane.load === 0;
      const spare = this.#lanes.size > this.#lanesToKeep(now) && now - lane.idleSince > idleMs / 10;
      if (unused && (this.#isIdle || spare)) lane.kill();
    }
  }

  /** After some seconds without work, one lane is enough for the next run. */
  #lanesToKeep(now: number): number {
    return now - this.#activeAt > this.#options.idleMs / 6 ? 1 : this.#options.lanes.warm;
  }

  #dropExcess(): void {
    for (const run of excessVms([...this.#homes.keys()], this.#options.vmBytes)) {
      const lane = this.#homes.get(run);
      if (lane?.current?.run === run) continue;
      run.loseVm();
      this.#release(run);
      lane?.send({ type: 'drop', run: run.id });
    }
  }

  #evict(run: SandboxRun, lane: LaneProcess): void {
    const busy = lane.hot || lane.queue.includes(run.owner, run) || lane.current?.run === run;
    if (run.evicting || busy || run.vm.type !== 'live') return;
    run.evicting = true;
    this.#enqueue(lane, run);
  }

  /** Lanes keep the server's process alive only while they are used. */
  #setReferenced(referenced: boolean): void {
    if (this.#referenced === referenced) return;
    this.#referenced = referenced;
    for (const lane of this.#lanes) lane.setReferenced(referenced);
  }
}

/** Fails the run if the engine's request is invalid. Otherwise the pool would blame the lane and try others for ever. */
function tryNextTurn(run: SandboxRun, build: string): Turn | undefined {
  try {
    return run.nextTurn(build);
  } catch (error) {
    run.fail(error);
    return undefined;
  }
}

/** Lanes that may be the home of an owner's run. One is left to other owners, so that they need not wait for this one's turns. */
function lanesFor(owner: string, cool: LaneProcess[]): LaneProcess[] {
  const own = cool.filter(({ residents }) => [...residents].some((run) => run.owner === owner));
  return own.length > 0 && own.length >= cool.length - 1 ? own : cool;
}

function crashWeight({ killedExternally }: LaneProcess): number {
  return killedExternally ? externalKillWeight : 1;
}

const crashes = 'The sandbox process that ran the code ended unexpectedly several times.';
const cannotStart = 'Executor cannot start a sandbox process. Run executor doctor to see why.';
