import { FairQueue } from '@executor/engine';
import { ChildProcess } from '../child-process/child-process.ts';
import type { ChildCommand } from '../child-process/confinement.ts';
import { parseFromLane } from '../messages/from-lane.ts';
import type { FromLane, ToLane } from '../messages/messages.ts';
import { encodeToLane } from '../messages/to-lane.ts';
import type { SandboxRun, Turn } from '../run/sandbox-run.ts';

/**
 * The server's handle of one lane. A lane has one turn at a time. A turn is one message to the lane and ends with its answer. So all CPU
 * time, and any crash, belongs to the run of the current turn.
 */
export interface LaneProcessEvents {
  /** The current turn takes so long that other runs should not wait behind it. */
  onHot(lane: LaneProcess): void;
  /** The lane is hot and uses much memory. */
  onLarge(lane: LaneProcess): void;
  /** Also called when the lane is ready for its first turn, then without a run. */
  onTurnEnd(lane: LaneProcess, run?: SandboxRun): void;
  onEnd(lane: LaneProcess): void;
}

/** `room`: the run has to wait until other runs keep fewer lanes busy, or use less memory. */
type KillReason = 'time' | 'cancel' | 'room';

interface CurrentTurn {
  run: SandboxRun;
  turn: Turn;
  startedAt: number;
  checked: boolean;
  cpuBefore: number | undefined;
  cpuUsed: number;
}

/** The CPU time of a turn is read after this long, and then at intervals. The lane is hot when the turn has used `busyMs` in between. */
const firstCheckMs = 10;
const checkCoolMs = 15;
const busyMs = 14;
const checkHotMs = 50;
const heavyReplayMs = 100;
/** A lane without runs uses about 25 MB of its own. */
const largeBytes = 56 * 1024 * 1024;
/** How long the engine may take to notice its own interrupt. */
const graceMs = 300;
/** Without a CPU clock, the wall clock is used. It runs ahead on a busy machine. */
const wallFactor = 5;

export class LaneProcess {
  readonly residents = new Set<SandboxRun>();
  readonly queue = new FairQueue<SandboxRun>();
  build: string | undefined;
  hot = false;
  large = false;
  retired = false;
  idleSince = performance.now();
  /** Why the server killed the lane, if it did. */
  killedFor: KillReason | undefined;
  killedExternally = false;
  current: CurrentTurn | undefined;
  readonly #child: ChildProcess;
  #timer: NodeJS.Timeout | undefined;
  readonly #events: LaneProcessEvents;

  constructor(command: ChildCommand, events: LaneProcessEvents) {
    this.#events = events;
    this.#child = new ChildProcess(command, {
      onFrame: (head, body) => this.#receive(parseFromLane(head), body),
      onEnd: (cause) => this.#end(cause === 'killed'),
    });
  }

  /** CPU time of the current turn at the last check. */
  get cpuOfTurn(): number {
    return this.current?.cpuUsed ?? 0;
  }

  get ready(): boolean {
    return this.build !== undefined;
  }

  /** How many turns a new run would wait for. */
  get load(): number {
    return this.queue.size + (this.current || !this.ready ? 1 : 0);
  }

  begin(run: SandboxRun, turn: Turn): void {
    this.current = {
      run,
      turn,
      startedAt: performance.now(),
      checked: false,
      cpuBefore: undefined,
      cpuUsed: 0,
    };
    this.#child.send(encodeToLane(turn.message), turn.body);
    if (turn.cpuMs !== undefined && this.#timer === undefined) this.#checkAfter(firstCheckMs);
  }

  /** Sends a message that has no answer. */
  send(message: ToLane): void {
    this.#child.send(encodeToLane(message));
  }

  kill(reason?: KillReason): void {
    this.killedFor = reason;
    this.#child.kill();
  }

  setReferenced(referenced: boolean): void {
    this.#child.setReferenced(referenced);
  }

  #receive(message: FromLane, body: Buffer): void {
    if (message.type === 'ready') {
      this.build = message.build;
      this.#events.onTurnEnd(this);
      return;
    }
    const run = this.current?.run;
    if (run?.id !== message.run)
      throw new RangeError(`The lane sent a message of run ${message.run}, which has no turn.`);
    if (isAnswer(message)) this.#receiveAnswer(run, message, body);
    else run.receive(message, body);
  }

  #receiveAnswer(run: SandboxRun, message: FromLane, body: Buffer): void {
    const { current } = this;
    this.#endTurn();
    try {
      run.receive(message, body);
    } catch (error) {
      // The lane ends because of this error. The pool must know during whose turn that happened.
      this.current = current;
      throw error;
    }
    this.#events.onTurnEnd(this, run);
  }

  #endTurn(): void {
    if (this.current?.checked) this.#stopChecking();
    this.current = undefined;
    this.idleSince = performance.now();
    if (!this.hot) return;
    this.hot = false;
    this.large = false;
    this.retired ||= !this.#child.setBackground(false);
  }

  /** One timer serves many turns. It checks the turn that is current when it fires, and stops if there is none. */
  #checkTurn(): void {
    this.#timer = undefined;
    const { current } = this;
    if (current?.turn.cpuMs === undefined) return;
    const youngBy = firstCheckMs - (performance.now() - current.startedAt);
    if (youngBy > 0) this.#checkAfter(youngBy);
    else this.#readCpu(current);
  }

  #checkAfter(ms: number): void {
    this.#timer = setTimeout(() => this.#checkTurn(), ms);
  }

  #stopChecking(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #readCpu(current: CurrentTurn): void {
    const cpuNow = this.#child.cpuMs();
    const first = !current.checked;
    current.checked = true;
    current.cpuBefore ??= cpuNow;
    current.cpuUsed = (cpuNow ?? 0) - (current.cpuBefore ?? 0);
    if (!first && !this.hot && isHeavy(current) && isBusy(current, cpuNow)) this.#becomeHot();
    if (this.hot && !this.large && this.killedFor === undefined) this.#readMemory();
    if (this.killedFor !== undefined) return;
    if (this.#isOverdue(current, cpuNow)) this.kill('time');
    else this.#checkAfter(this.hot ? checkHotMs : checkCoolMs);
  }

  #becomeHot(): void {
    this.hot = true;
    this.#child.setBackground(true);
    this.#events.onHot(this);
  }

  #readMemory(): void {
    if ((this.#child.privateBytes() ?? 0) < largeBytes) return;
    this.large = true;
    this.#events.onLarge(this);
  }

  #isOverdue({ turn, startedAt, cpuBefore }: CurrentTurn, cpuNow: number | undefined): boolean {
    const allowed = (turn.cpuMs ?? 0) + graceMs;
    if (cpuNow !== undefined && cpuBefore !== undefined) return cpuNow - cpuBefore > allowed;
    return performance.now() - startedAt > allowed * wallFactor;
  }

  #end(externally: boolean): void {
    this.#stopChecking();
    this.killedExternally = externally;
    this.#events.onEnd(this);
  }
}

/** A rebuild is not the code's fault, so it may take longer. */
function isHeavy({ turn, cpuUsed }: CurrentTurn): boolean {
  return !turn.replay || cpuUsed > heavyReplayMs;
}

/** On a crowded machine a short turn may take long. Only CPU time shows that the code computes, so the number of checks says nothing. */
function isBusy({ cpuBefore }: CurrentTurn, cpuNow: number | undefined): boolean {
  return cpuNow === undefined || cpuBefore === undefined || cpuNow - cpuBefore > busyMs;
}

function isAnswer({ type }: FromLane): boolean {
  return type === 'slice' || type === 'pages' || type === 'unkept' || type === 'restored';
}
