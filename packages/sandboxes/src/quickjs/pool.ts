import type { SandboxHooks, SandboxOutcome, SandboxRequest } from '@executor/engine';
import { type ChildCommand, type Confinement, childCommand } from './confinement.ts';
import { Execution } from './execution.ts';
import { Lane } from './lane.ts';
import type { PoolOptions } from './options.ts';
import { Shelf } from './shelf.ts';
import type { Turn } from './turn.ts';

/**
 * Which execution runs in which lane. Every live VM has a home, the lane that holds it; an execution without one is placed when it
 * has work. A lane that one execution keeps busy is hot: it goes to the background, and whoever waits in it is rebuilt in another, of
 * which some cool ones always stand ready.
 */
const cancelMs = 50;
/** How long a VM may wait in peace while others wait for its place. */
const crowdedMs = 20;
const startFailures = 5;
const maxCrashes = 3;
/**
 * A lane that a stranger killed says nothing about what ran in it, or was about to: on a busy machine any lane may be hit while it
 * starts, or a slice runs. It counts a little all the same, since the system also kills what takes too much of its memory.
 */
const strangersShare = 1 / 10;

interface Caller {
  resolve(outcome: SandboxOutcome): void;
  reject(error: unknown): void;
}

export class Pool {
  private readonly lanes = new Set<Lane>();
  private readonly homes = new Map<Execution, Lane>();
  private readonly executions = new Map<Execution, Caller>();
  /** Executions that wait until there is room for one more VM. */
  private readonly admission: Execution[] = [];
  private readonly shelf: Shelf;
  private readonly command: ChildCommand;
  private readonly sweeper: NodeJS.Timeout;
  private bytesInFlight = 0;
  private lastId = 0;
  private failedStarts = 0;
  private referenced = false;
  private closed = false;
  private activeAt = performance.now();

  constructor(
    confinement: Confinement,
    private readonly options: PoolOptions,
  ) {
    this.command = childCommand(confinement, 'lane.cjs', options.folder);
    this.shelf = new Shelf(options.waiting);
    this.sweeper = setInterval(() => this.sweep(), options.sweepMs).unref();
  }

  run(request: SandboxRequest, hooks: SandboxHooks, signal?: AbortSignal): Promise<SandboxOutcome> {
    return new Promise((resolve, reject) => {
      const execution = new Execution(++this.lastId, request, hooks, {
        onWork: (worker) => this.work(worker),
        onFinish: (worker, outcome) => this.finish(worker)?.resolve(outcome),
        onFail: (worker, error) => this.finish(worker)?.reject(error),
        onBytes: (change) => {
          this.bytesInFlight += change;
          if (change < 0) this.admitNext();
        },
      });
      const cancel = () => execution.finish({ type: 'cancelled' });
      const unlisten = () => signal?.removeEventListener('abort', cancel);
      this.executions.set(execution, {
        resolve(outcome) {
          unlisten();
          resolve(outcome);
        },
        reject(error) {
          unlisten();
          reject(error);
        },
      });
      this.setReferenced(true);
      if (signal?.aborted || this.closed) return cancel();
      signal?.addEventListener('abort', cancel);
      execution.refuse();
      if (!execution.finished) this.work(execution);
    });
  }

  /** Starts a lane before it is needed: there is one more than runs, up to the warm ones. */
  warmUp(): void {
    const wanted = Math.min(this.options.lanes.warm, this.executions.size + 1);
    if (this.coolLanes().length < wanted && this.lanes.size < this.options.lanes.most) this.startLane();
  }

  stats() {
    const kept = this.shelf.size;
    return {
      lanes: this.lanes.size,
      busyLanes: [...this.lanes].filter(({ current }) => current).length,
      hotLanes: [...this.lanes].filter(({ hot }) => hot).length,
      executions: this.executions.size,
      liveVms: this.homes.size,
      keptVms: kept.count,
      keptBytes: kept.bytes,
      bytesInFlight: this.bytesInFlight,
    };
  }

  close(): void {
    this.closed = true;
    clearInterval(this.sweeper);
    for (const execution of [...this.executions.keys()]) execution.finish({ type: 'cancelled' });
    for (const lane of [...this.lanes]) lane.kill('cancel');
  }

  private get isIdle(): boolean {
    return this.executions.size === 0 && performance.now() - this.activeAt > this.options.idleMs;
  }

  private work(execution: Execution): void {
    this.activeAt = performance.now();
    const home = this.homes.get(execution);
    if (home?.current?.execution === execution || home?.queue.includes(execution)) return;
    if (home && execution.place.type === 'live' && !home.hot && !home.retired) {
      this.enqueue(home, execution);
      return;
    }
    execution.loseVm();
    this.release(execution);
    home?.tell({ type: 'drop', run: execution.id });
    this.admit(execution);
  }

  private admit(execution: Execution): void {
    if (this.admission.includes(execution)) return;
    if (this.hasRoomFor(execution)) this.settleIn(execution);
    else this.admission.push(execution);
  }

  private hasRoomFor(execution: Execution): boolean {
    const { vms, bytesInFlight } = this.options;
    const fresh = execution.place.type === 'none';
    if (this.homes.size >= vms) return false;
    return !fresh || this.bytesInFlight <= bytesInFlight || this.homes.size === 0;
  }

  /** Lets in who waits, in their order, as far as there is room. Some of them were cancelled meanwhile. */
  private admitNext(): void {
    for (let next = this.admission[0]; next; next = this.admission[0]) {
      if (!next.finished && !this.hasRoomFor(next)) return;
      this.admission.shift();
      if (!next.finished) this.settleIn(next);
    }
  }

  private settleIn(execution: Execution): void {
    this.shelf.take(execution);
    const lane = this.chooseLane();
    this.homes.set(execution, lane);
    lane.residents.add(execution);
    this.enqueue(lane, execution);
    // One that still starts warms the next when it is ready.
    if (lane.ready) this.warmUp();
  }

  private enqueue(lane: Lane, execution: Execution): void {
    lane.queue.push(execution);
    this.pump(lane);
  }

  private pump(lane: Lane): void {
    while (lane.build !== undefined && !lane.current) {
      const execution = lane.queue.shift();
      if (!execution) return;
      const turn = execution.finished ? undefined : tryNextTurn(execution, lane.build);
      if (turn && !execution.finished) lane.begin(execution, turn);
    }
  }

  private chooseLane(): Lane {
    const cool = this.coolLanes();
    const candidates = cool.length > 0 ? cool : [...this.lanes].filter(({ retired }) => !retired);
    const best = candidates.sort((a, b) => a.load - b.load)[0];
    const room = this.lanes.size < this.options.lanes.most;
    if (!best || (cool.length === 0 && room)) return this.startLane();
    return best;
  }

  private coolLanes(): Lane[] {
    return [...this.lanes].filter(({ hot, retired }) => !hot && !retired);
  }

  private startLane(): Lane {
    const lane = new Lane(this.command, {
      onHot: (hot) => this.evacuate(hot),
      onTurnEnd: (ended, execution) => this.endTurn(ended, execution),
      onEnd: (ended) => this.replace(ended),
    });
    this.lanes.add(lane);
    lane.setReferenced(this.referenced);
    return lane;
  }

  private endTurn(lane: Lane, execution?: Execution): void {
    if (!execution) {
      this.failedStarts = 0;
      if (!this.isIdle) this.warmUp();
    }
    const leaves = execution !== undefined && execution.place.type !== 'live';
    if (leaves && this.homes.get(execution) === lane && !lane.queue.includes(execution)) {
      this.release(execution);
      this.shelf.put(execution);
    }
    // It was cancelled while its slice ran, and may have left its VM waiting there.
    if (execution?.finished) lane.tell({ type: 'drop', run: execution.id });
    this.pump(lane);
    if (lane.retired && lane.load === 0) this.empty(lane);
    else this.relieve();
  }

  /** Whoever came when all lanes were hot waits in one of them, and need not any longer when there is another. */
  private relieve(): void {
    const crowded = [...this.lanes].filter(({ hot, queue }) => hot && queue.length > 0);
    if (crowded.length === 0) return;
    const room = this.lanes.size < this.options.lanes.most;
    if (!room && !this.coolLanes().some(({ load }) => load === 0)) return;
    for (const lane of crowded) this.evacuate(lane);
  }

  /** Nobody else waits for what may take long. */
  private evacuate(lane: Lane): void {
    for (const execution of lane.queue.splice(0)) this.work(execution);
    this.warmUp();
  }

  private empty(lane: Lane): void {
    for (const execution of [...lane.residents]) {
      execution.loseVm();
      this.release(execution);
    }
    lane.kill();
  }

  private replace(lane: Lane): void {
    this.lanes.delete(lane);
    if (!lane.ready) this.failedStarts += shareOf(lane);
    const guilty = lane.current?.execution;
    const residents = [...lane.residents];
    for (const execution of residents) this.release(execution);
    if (guilty && !guilty.finished) this.blame(guilty, lane);
    for (const execution of residents) {
      execution.loseVm();
      if (this.failedStarts >= startFailures) execution.finish({ type: 'crashed', message: cannotStart });
      else if (execution.hasWork) this.work(execution);
    }
    this.relieve();
  }

  /** Only when it happens again and again is it held against the execution. */
  private blame(execution: Execution, lane: Lane): void {
    if (lane.killedFor === 'time') {
      execution.timeOut();
      return;
    }
    execution.crash(shareOf(lane), lane.cpuOfTurn);
    if (execution.crashes >= maxCrashes) execution.finish({ type: 'crashed', message: crashes });
  }

  /** Answers who waits for it. */
  private finish(execution: Execution): Caller | undefined {
    const lane = this.homes.get(execution);
    this.release(execution);
    this.shelf.take(execution);
    if (lane?.current?.execution === execution)
      setTimeout(() => this.killIfStill(lane, execution), cancelMs).unref();
    else lane?.tell({ type: 'drop', run: execution.id });
    const caller = this.executions.get(execution);
    this.executions.delete(execution);
    return caller;
  }

  private killIfStill(lane: Lane, execution: Execution): void {
    if (lane.current?.execution === execution) lane.kill('cancel');
  }

  private release(execution: Execution): void {
    const lane = this.homes.get(execution);
    if (!lane) return;
    this.homes.delete(execution);
    lane.residents.delete(execution);
    const position = lane.queue.indexOf(execution);
    if (position >= 0) lane.queue.splice(position, 1);
    this.admitNext();
  }

  private sweep(): void {
    const now = performance.now();
    const { waiting, idleMs, lanes } = this.options;
    const patience =
      this.admission.length > 0 ? Math.min(crowdedMs, waiting.keepAfterMs) : waiting.keepAfterMs;
    for (const [execution, lane] of this.homes) {
      if (now - (execution.waitingSince ?? now) > patience) this.evict(execution, lane);
    }
    this.shelf.sweep(now);
    if (this.executions.size === 0) this.setReferenced(false);
    for (const lane of [...this.lanes]) {
      const unused = lane.residents.size === 0 && lane.load === 0;
      const spare = this.lanes.size > lanes.warm && now - lane.idleSince > idleMs / 10;
      if (unused && (this.isIdle || spare)) lane.kill();
    }
  }

  private evict(execution: Execution, lane: Lane): void {
    const busy = lane.hot || lane.queue.includes(execution) || lane.current?.execution === execution;
    if (execution.evicting || busy || execution.place.type !== 'live') return;
    execution.evicting = true;
    this.enqueue(lane, execution);
  }

  /** Lanes keep the server's process alive only while they are used. */
  private setReferenced(referenced: boolean): void {
    if (this.referenced === referenced) return;
    this.referenced = referenced;
    for (const lane of this.lanes) lane.setReferenced(referenced);
  }
}

/** What the engine handed over may make no sense. No lane is at fault then: others would be tried for ever. */
function tryNextTurn(execution: Execution, build: string): Turn | undefined {
  try {
    return execution.nextTurn(build);
  } catch (error) {
    execution.fail(error);
    return undefined;
  }
}

function shareOf({ killedByStranger }: Lane): number {
  return killedByStranger ? strangersShare : 1;
}

const crashes = 'The process that ran the code ended without a word, again and again.';
const cannotStart = 'No sandbox process can be started; executor doctor says what is wrong.';
