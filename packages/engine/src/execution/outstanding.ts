import type { Clock } from '../clock.ts';
import type { PersonAnswer } from './call-context.ts';
import type { AskedState, ResolvedEvent } from './run-state.ts';

type Waiting =
  | { type: 'working' }
  | { type: 'timer'; until: number; callOff(): void }
  | {
      type: 'person';
      interactionId: string;
      /** The call cannot be rebuilt elsewhere: it waits in the middle of what it does. */
      pinned: boolean;
      expiresAt: number | undefined;
      callOff(): void;
      resolve(answer: PersonAnswer): void;
    };

/** The calls of a run that have no answer yet, and what each of them waits for. */
export class Outstanding {
  readonly #calls = new Map<number, Waiting>();
  readonly #clock: Clock;
  #held = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether every call waits for a person or a time, and could as well wait elsewhere. */
  get allWait(): boolean {
    return this.#held === 0;
  }

  /** Whether no call does anything but wait, be it in the middle of what it does. */
  get nothingWorks(): boolean {
    return [...this.#calls.values()].every(({ type }) => type !== 'working');
  }

  get hasPeople(): boolean {
    return [...this.#calls.values()].some(({ type }) => type === 'person');
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

  waitUntil(index: number, until: number, due: () => void): void {
    this.#set(index, { type: 'timer', until, callOff: this.#clock.at(until, due) });
  }

  waitForPerson(
    index: number,
    { asked, pinned }: { asked: AskedState; pinned: boolean },
    { resolve, expire }: { resolve(answer: PersonAnswer): void; expire(): void },
  ): void {
    const { id: interactionId, expiresAt } = asked;
    const callOff = expiresAt === undefined ? () => {} : this.#clock.at(expiresAt, expire);
    this.#set(index, { type: 'person', interactionId, pinned, expiresAt, callOff, resolve });
  }

  answer(event: ResolvedEvent): void {
    const waiting = this.#calls.get(event.index);
    if (waiting?.type !== 'person' || waiting.interactionId !== event.interactionId) return;
    waiting.callOff();
    waiting.resolve({ type: 'answered', event });
  }

  remove(index: number): void {
    const waiting = this.#calls.get(index);
    if (waiting === undefined) return;
    if (waiting.type !== 'working') waiting.callOff();
    if (isHeld(waiting)) this.#held -= 1;
    this.#calls.delete(index);
  }

  /** When the first of them will be due by itself. */
  nextTime(): number | undefined {
    let next: number | undefined;
    for (const waiting of this.#calls.values()) {
      const time =
        waiting.type === 'timer' ? waiting.until : waiting.type === 'person' ? waiting.expiresAt : undefined;
      if (time !== undefined && (next === undefined || time < next)) next = time;
    }
    return next;
  }

  clear(): void {
    for (const index of [...this.#calls.keys()]) this.remove(index);
  }

  #set(index: number, waiting: Waiting): void {
    this.remove(index);
    if (isHeld(waiting)) this.#held += 1;
    this.#calls.set(index, waiting);
  }
}

function isHeld(waiting: Waiting): boolean {
  return waiting.type === 'working' || (waiting.type === 'person' && waiting.pinned);
}
