import type { Clock } from '../../src/clock.ts';
import type { Random } from './random.ts';

/** The owner of tasks. They wait while it is stopped, and never run once it is dead. */
export interface Owner {
  readonly name: string;
  state: 'running' | 'stopped' | 'dead';
}

interface Task {
  time: number;
  /** The clock of a task that is due at a time of day. */
  clock: VirtualClock | undefined;
  owner: Owner | undefined;
  label: string;
  run(): void | Promise<void>;
}

/**
 * The only source of events: everything asynchronous in the simulation is a task here. The seed decides which of the due tasks is next, and
 * everything that a task causes settles before the next one. So a seed is a schedule.
 */
export class VirtualTime {
  now: number;
  steps = 0;
  /** The log of events, if the schedule is traced. */
  readonly trace: string[] | undefined;
  readonly #random: Random;
  #tasks: Task[] = [];

  constructor(start: number, random: Random, { traced }: { traced: boolean }) {
    this.now = start;
    this.#random = random;
    this.trace = traced ? [] : undefined;
  }

  get pending(): string[] {
    return this.#tasks.map(({ label, owner }) => `${owner?.name ?? 'world'}: ${label}`);
  }

  schedule(
    time: number,
    label: string,
    run: Task['run'],
    { owner, clock }: { owner?: Owner | undefined; clock?: VirtualClock | undefined } = {},
  ): () => void {
    if (owner?.state === 'dead') return () => {};
    const task = { time, clock, owner, label, run };
    this.#tasks.push(task);
    return () => {
      const place = this.#tasks.indexOf(task);
      if (place >= 0) this.#tasks.splice(place, 1);
    };
  }

  after(ms: number, label: string, run: Task['run'], owner?: Owner): () => void {
    return this.schedule(this.now + ms, label, run, { owner });
  }

  /** Drops the tasks of a dead owner. */
  forget(owner: Owner): void {
    this.#tasks = this.#tasks.filter((task) => task.owner !== owner);
  }

  /** The time of the next task that `counts` selects. */
  nextTime(counts: (time: number) => boolean = () => true): number | undefined {
    let next: number | undefined;
    for (const { time, owner } of this.#tasks) {
      if (owner?.state === 'stopped' || !counts(time)) continue;
      if (next === undefined || time < next) next = time;
    }
    return next;
  }

  /** A clock was set back, so the tasks that use it are due later. */
  putOff(clock: VirtualClock, ms: number): void {
    for (const task of this.#tasks) if (task.clock === clock) task.time += ms;
  }

  /** Time passes without running tasks: a closed lid, or a clock that was set forward. */
  jump(time: number): void {
    if (time <= this.now) return;
    this.note(`time jumps by ${time - this.now} ms`);
    this.now = time;
  }

  /** Runs one task; false if none is left. */
  async step(): Promise<boolean> {
    const next = this.nextTime();
    if (next === undefined) return false;
    this.now = Math.max(this.now, next);
    const ready = this.#tasks.filter(({ time, owner }) => time <= this.now && owner?.state !== 'stopped');
    const task = this.#random.pick(ready);
    this.#tasks.splice(this.#tasks.indexOf(task), 1);
    this.steps += 1;
    if (this.trace) this.note(`${task.owner?.name ?? 'world'}: ${task.label}`);
    await task.run();
    await settled();
    return true;
  }

  note(line: string): void {
    this.trace?.push(`${this.now - startTime} ${line}`);
  }
}

export const startTime = Date.parse('2026-11-15T12:00:00Z');

/** Resolves when all microtasks and immediate callbacks have run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The virtual clock of one process. Its timers end with the process, and it may be wrong. */
export class VirtualClock implements Clock {
  readonly #time: VirtualTime;
  readonly #owner: Owner | undefined;
  /** How far the clock is ahead. */
  skewMs: number;

  constructor(time: VirtualTime, owner?: Owner, skewMs = 0) {
    this.#time = time;
    this.#owner = owner;
    this.skewMs = skewMs;
  }

  now(): Date {
    return new Date(this.#time.now + this.skewMs);
  }

  elapsed(): number {
    return this.#time.now;
  }

  at(time: number, callback: () => void): () => void {
    const options = { owner: this.#owner, clock: this };
    return this.#time.schedule(time - this.skewMs, 'timer', () => void callback(), options);
  }

  after(ms: number, callback: () => void): () => void {
    return this.#time.after(ms, 'timer', () => void callback(), this.#owner);
  }

  setBack(ms: number): void {
    this.skewMs -= ms;
    this.#time.putOff(this, ms);
  }

  soon(callback: () => void): void {
    this.#time.after(0, 'soon', () => void callback(), this.#owner);
  }
}
