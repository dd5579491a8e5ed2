import type { Clock } from '../../clock.ts';
import type { ReviewerAnswer } from '../call/call-context.ts';
import type { AskedState, ResolvedEvent } from './run-state.ts';

type PendingCall =
  | { type: 'working' }
  | { type: 'timer'; until: number; cancelTimer(): void }
  | {
      type: 'reviewer';
      interactionId: string;
      /** The call waits in the middle of its work, so it cannot be rebuilt in another process. */
      pinned: boolean;
      expiresAt: number | undefined;
      cancelTimer(): void;
      resolve(answer: ReviewerAnswer): void;
    };

/** The calls of a held run that have no result yet, and what each of them waits for. */
export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>();
  readonly #clock: Clock;
  #notRebuildable = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether every call waits for a reviewer or a timer, and could wait in another process as well. */
  get allRebuildable(): boolean {
    return this.#notRebuildable === 0;
  }

  get noneWorks(): boolean {
    return [...this.#calls.values()].every(({ type }) => type !== 'working');
  }

  get anyNeedsReviewer(): boolean {
    return [...this.#calls.values()].some(({ type }) => type === 'reviewer');
  }

  has(index: number): boolean {
    return this.#calls.has(index);
  }

  isWorking(index: number): boolean {
    return this.#calls.get(index)?.type === 'working';
  }

  work(index: number): void {
    this.#set(index, { type: 'working' });
  }

  waitUntil(index: number, until: number, onDue: () => void): void {
    this.#set(index, { type: 'timer', until, cancelTimer: this.#clock.at(until, onDue) });
  }

  /** Resolves when the reviewer has answered, or after `expire`. */
  waitForReviewer(
    index: number,
    { asked, pinned }: { asked: AskedState; pinned: boolean },
    onDue: () => void,
  ): Promise<ReviewerAnswer> {
    const { id: interactionId, expiresAt } = asked;
    const cancelTimer = expiresAt === undefined ? () => {} : this.#clock.at(expiresAt, onDue);
    return new Promise((resolve) => {
      this.#set(index, { type: 'reviewer', interactionId, pinned, expiresAt, cancelTimer, resolve });
    });
  }

  answer(event: ResolvedEvent): void {
    this.#settle(event.index, event.interactionId, { type: 'answered', event });
  }

  expire(index: number, interactionId: string): void {
    this.#settle(index, interactionId, { type: 'expired' });
  }

  remove(index: number): void {
    const call = this.#calls.get(index);
    if (call === undefined) return;
    if (call.type !== 'working') call.cancelTimer();
    if (!isRebuildable(call)) this.#notRebuildable -= 1;
    this.#calls.delete(index);
  }

  /** The time at which the first of them is due by itself. */
  nextTime(): number | undefined {
    const times = [...this.#calls.values()].flatMap((call) => dueAt(call) ?? []);
    return times.length > 0 ? times.reduce((one, other) => Math.min(one, other)) : undefined;
  }

  clear(): void {
    for (const index of [...this.#calls.keys()]) this.remove(index);
  }

  #settle(index: number, interactionId: string, answer: ReviewerAnswer): void {
    const call = this.#calls.get(index);
    if (call?.type !== 'reviewer' || call.interactionId !== interactionId) return;
    this.work(index);
    call.resolve(answer);
  }

  #set(index: number, call: PendingCall): void {
    this.remove(index);
    if (!isRebuildable(call)) this.#notRebuildable += 1;
    this.#calls.set(index, call);
  }
}

function isRebuildable(call: PendingCall): boolean {
  switch (call.type) {
    case 'working':
      return false;
    case 'timer':
      return true;
    case 'reviewer':
      return !call.pinned;
  }
}

function dueAt(call: PendingCall): number | undefined {
  switch (call.type) {
    case 'working':
      return undefined;
    case 'timer':
      return call.until;
    case 'reviewer':
      return call.expiresAt;
  }
}
