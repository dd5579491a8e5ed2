import { expect, test } from 'vitest';
import type { Clock } from '../../clock.ts';
import type { RunWrite } from '../../ports/execution-store.ts';
import { Journal } from './journal.ts';

/** A clock that the test advances. */
class Hand implements Clock {
  #time = 0;
  #due: { time: number; callback: () => void }[] = [];

  now(): Date {
    return new Date(this.#time);
  }

  elapsed(): number {
    return this.#time;
  }

  after(ms: number, callback: () => void): () => void {
    return this.at(this.#time + ms, callback);
  }

  at(time: number, callback: () => void): () => void {
    const entry = { time, callback };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  }

  soon(callback: () => void): void {
    queueMicrotask(callback);
  }

  async move(ms: number): Promise<void> {
    this.#time += ms;
    for (const entry of this.#due.filter(({ time }) => time <= this.#time)) {
      this.#due = this.#due.filter((other) => other !== entry);
      entry.callback();
    }
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
  }
}

test('Urgent events are written soon, even if more of them keep arriving', async () => {
  const clock = new Hand();
  const writes: { at: number; events: number }[] = [];
  let seq = 0;
  const journal = new Journal({
    store: {
      append: async (_, __, { events }: RunWrite) => {
        seq += events.length;
        writes.push({ at: clock.now().getTime(), events: events.length });
        return { seq };
      },
      finish: async () => {},
      appendOutcome: async () => false,
    },
    lease: { id: 'exe_1', owner: 'worker', epoch: 1 },
    seq: 0,
    clock,
    onFailed: () => {},
    onForeignEvents: () => {},
  });
  for (let answers = 0; answers < 20; answers++) {
    journal.append({ type: 'call.dispatched', index: answers, attempt: 1 });
    journal.hurry();
    await clock.move(1);
  }
  expect(writes.length).toBeGreaterThanOrEqual(9);
  expect(writes[0]).toEqual({ at: 2, events: 2 });
});
