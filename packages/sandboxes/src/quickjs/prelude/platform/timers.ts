import { sleepPath } from '@executor/engine';
import { abandon, request, requestThen } from '../calls.ts';
import { defineGlobals, ownMap } from '../host.ts';
import { framesHere } from '../stack.ts';
import type { MadeCall } from '../unawaited.ts';

/** Timers are calls to the engine, which journals them. A run may sleep for a week and be rebuilt in between. */
const timers = ownMap<unknown, number>();
/** Whether the code has returned and the run waits for calls. */
let stopped = false;
export const stoppedIntervals: MadeCall[] = [];
let lastId = 0;

type Callback = (...args: unknown[]) => void;

defineGlobals({
  sleep: (ms: unknown) => request(sleepPath, () => delay(ms), framesHere()),
  setTimeout: (callback: Callback, ms?: unknown, ...args: unknown[]) => begin(callback, ms, args, false),
  setInterval: (callback: Callback, ms?: unknown, ...args: unknown[]) => begin(callback, ms, args, true),
  setImmediate: (callback: Callback, ...args: unknown[]) => begin(callback, 0, args, false),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
});

function begin(callback: Callback, ms: unknown, args: unknown[], again: boolean): number {
  if (typeof callback !== 'function') throw new TypeError('A timer takes a function as its first argument.');
  const id = ++lastId;
  const made = { path: again ? 'setInterval' : 'setTimeout', stack: framesHere(), timer: true } as const;
  const schedule = () => {
    timers.set(id, requestThen(sleepPath, delay(ms), fire, made));
  };
  const fire = () => {
    timers.delete(id);
    if (again && stopped) {
      stoppedIntervals[stoppedIntervals.length] = made;
      return;
    }
    if (again) schedule();
    callback(...args);
  };
  schedule();
  return id;
}

/** No interval runs its callback again. Otherwise one that makes calls would keep its run from ending. */
export function stopIntervals(): void {
  stopped = true;
}

function clear(id: unknown): void {
  const call = timers.get(id);
  if (call === undefined) return;
  timers.delete(id);
  abandon(call);
}

function delay(ms: unknown): string {
  const number = Number(ms);
  return `{"ms":${number > 0 ? Math.min(Math.round(number), Number.MAX_SAFE_INTEGER) : 0}}`;
}
