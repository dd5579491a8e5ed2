import { ChildProcess } from './child-process.ts';
import type { ChildCommand } from './confinement.ts';
import type { Execution } from './execution.ts';
import { parseFromLane } from './from-lane.ts';
import type { FromLane, ToLane } from './messages.ts';
import { encodeToLane } from './to-lane.ts';
import type { Turn } from './turn.ts';

/**
 * The server's view of one lane. One turn at a time: a turn is one message to the lane and ends with its answer, so whatever
 * the lane is busy with belongs to one execution, and so does the blame.
 */
export interface LaneEvents {
  /** Long enough that others should not wait behind it. */
  onHot(lane: Lane): void;
  /** Also when the lane is ready for its first turn, then without an execution. */
  onTurnEnd(lane: Lane, execution?: Execution): void;
  onEnd(lane: Lane): void;
}

interface CurrentTurn {
  execution: Execution;
  turn: Turn;
  startedAt: number;
  looked: boolean;
  cpuBefore: number | undefined;
  cpuUsed: number;
}

/** A slice is looked at after this long, and again a little later: if it used the CPU in between, the lane is hot. */
const firstLookMs = 10;
const secondLookMs = 15;
const watchEveryMs = 50;
/** What a polite interrupt may take to be noticed. */
const graceMs = 300;
/** Without a CPU clock only the wall clock is left, which runs ahead on a busy machine. */
const wallFactor = 5;

export class Lane {
  readonly residents = new Set<Execution>();
  readonly queue: Execution[] = [];
  build: string | undefined;
  hot = false;
  retired = false;
  idleSince = performance.now();
  /** Why the lane was killed, when we did it. */
  killedFor: 'time' | 'cancel' | undefined;
  killedByStranger = false;
  current: CurrentTurn | undefined;
  private readonly child: ChildProcess;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    command: ChildCommand,
    private readonly events: LaneEvents,
  ) {
    this.child = new ChildProcess(command, {
      onFrame: (head, body) => this.receive(parseFromLane(head), body),
      onEnd: (cause) => this.end(cause === 'killed'),
    });
  }

  /** CPU of the turn that runs, as far as it was looked at. */
  get cpuOfTurn(): number {
    return this.current?.cpuUsed ?? 0;
  }

  get ready(): boolean {
    return this.build !== undefined;
  }

  /** How many turns a newcomer would wait for. */
  get load(): number {
    return this.queue.length + (this.current || !this.ready ? 1 : 0);
  }

  begin(execution: Execution, turn: Turn): void {
    this.current = {
      execution,
      turn,
      startedAt: performance.now(),
      looked: false,
      cpuBefore: undefined,
      cpuUsed: 0,
    };
    this.child.send(encodeToLane(turn.message), turn.body);
    if (turn.cpuMs !== undefined && this.timer === undefined) this.watchAfter(firstLookMs);
  }

  /** For what needs no answer. */
  tell(message: ToLane): void {
    this.child.send(encodeToLane(message));
  }

  kill(reason?: 'time' | 'cancel'): void {
    this.killedFor = reason;
    this.child.kill();
  }

  setReferenced(referenced: boolean): void {
    this.child.setReferenced(referenced);
  }

  private receive(message: FromLane, body: Buffer): void {
    if (message.type === 'ready') {
      this.build = message.build;
      this.events.onTurnEnd(this);
      return;
    }
    const execution = this.current?.execution;
    if (execution?.id !== message.run)
      throw new RangeError(`The lane speaks of run ${message.run} out of turn.`);
    if (isAnswer(message)) this.receiveAnswer(execution, message, body);
    else execution.receive(message, body);
  }

  private receiveAnswer(execution: Execution, message: FromLane, body: Buffer): void {
    const { current } = this;
    this.endTurn();
    try {
      execution.receive(message, body);
    } catch (error) {
      // The lane ends for it, and it must be known by whose turn.
      this.current = current;
      throw error;
    }
    this.events.onTurnEnd(this, execution);
  }

  private endTurn(): void {
    if (this.current?.looked) this.stopWatching();
    this.current = undefined;
    this.idleSince = performance.now();
    if (!this.hot) return;
    this.hot = false;
    this.retired ||= !this.child.setBackground(false);
  }

  /** One timer serves many turns: it finds the turn that runs when it fires, and goes out when there is none. */
  private watch(): void {
    this.timer = undefined;
    const { current } = this;
    if (current?.turn.cpuMs === undefined) return;
    const youngBy = firstLookMs - (performance.now() - current.startedAt);
    if (youngBy > 0) this.watchAfter(youngBy);
    else this.look(current);
  }

  private watchAfter(ms: number): void {
    this.timer = setTimeout(() => this.watch(), ms);
  }

  private stopWatching(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private look(current: CurrentTurn): void {
    const cpuNow = this.child.cpuMs();
    const first = !current.looked;
    current.looked = true;
    current.cpuBefore ??= cpuNow;
    current.cpuUsed = (cpuNow ?? 0) - (current.cpuBefore ?? 0);
    if (!first && !this.hot && !current.turn.replay && isBusy(current, cpuNow)) {
      this.hot = true;
      this.child.setBackground(true);
      this.events.onHot(this);
    }
    if (this.isOverdue(current, cpuNow)) this.kill('time');
    else this.watchAfter(first ? secondLookMs : watchEveryMs);
  }

  private isOverdue({ turn, startedAt, cpuBefore }: CurrentTurn, cpuNow: number | undefined): boolean {
    const allowed = (turn.cpuMs ?? 0) + graceMs;
    if (cpuNow !== undefined && cpuBefore !== undefined) return cpuNow - cpuBefore > allowed;
    return performance.now() - startedAt > allowed * wallFactor;
  }

  private end(byStranger: boolean): void {
    this.stopWatching();
    this.killedByStranger = byStranger;
    this.events.onEnd(this);
  }
}

/** On a crowded machine a slice may take long and hardly run: that is no reason to move anybody. */
function isBusy({ cpuBefore }: CurrentTurn, cpuNow: number | undefined): boolean {
  return cpuNow === undefined || cpuBefore === undefined || cpuNow - cpuBefore > secondLookMs / 2;
}

function isAnswer({ type }: FromLane): boolean {
  return type === 'slice' || type === 'pages' || type === 'unkept' || type === 'restored';
}
