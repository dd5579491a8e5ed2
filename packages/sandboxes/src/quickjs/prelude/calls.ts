import { EncodeError, LimitError, MissingError, toolError } from './errors.ts';
import { host, NativePromise, parse } from './host.ts';
import { setFrames } from './stack.ts';
import { type MadeCall, noteSettled } from './unawaited.ts';

export interface OpenCall extends MadeCall {
  index: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** The combinators of `Promise` that have the call and have not settled. Those of `Promise.all` always count. */
  combinators?: number;
  /** It was passed to a `Promise.race` or `any`, and each of them has settled. */
  lost?: boolean;
}

/**
 * The open calls: the call with index `base + i` is at `i`. The array is reset when no call is open. It has no prototype, because code may
 * change that of arrays. A `Map` of a thousand calls would take ten times as long.
 */
const open: (OpenCall | undefined)[] = Object.setPrototypeOf([], null);
let base = 0;
let waiting = 0;
/** The open calls for which a run waits after its code has returned. */
let owed = 0;
/** The calls that lost a race, some of which are still open. */
const lost: OpenCall[] = Object.setPrototypeOf([], null);

const callsOfPromises = new WeakMap<object, OpenCall>();
const { get: callAt, set: keepCall } = WeakMap.prototype;

/** Returns a promise even for a call that cannot be made, so that errors of calls always arrive in the same way. */
export function request(path: string, input: () => string, stack: string): Promise<unknown> {
  try {
    const index = beginCall(path, input());
    let call: OpenCall | undefined;
    const promise = new NativePromise((resolve, reject) => {
      call = { path, stack, index, resolve, reject };
      keep(call);
    });
    keepCall.call(callsOfPromises, promise, call);
    return promise;
  } catch (error) {
    if (error instanceof EncodeError || error instanceof MissingError || error instanceof LimitError)
      setFrames(error, stack);
    return new NativePromise((_resolve, reject) => reject(error));
  }
}

/** Makes a call whose answer runs a function. Returns its index. */
export function requestThen(path: string, input: string, run: () => void, made: MadeCall): number {
  const index = beginCall(path, input);
  keep({ ...made, index, resolve: run, reject: run });
  return index;
}

export function abandon(index: number): void {
  take(index);
  host.abandon(index);
}

/** Called by the host. An abandoned call is ignored. */
export function deliver(index: number, json: string, name?: string, message?: string): void {
  const call = take(index);
  if (!call) return;
  if (!call.timer && !call.lost) noteSettled(call, index, name, message);
  if (name === undefined) call.resolve(json === '' ? undefined : parse(json));
  else call.reject(toolError({ name, message: message ?? '', details: json }, call.stack));
}

/** Whether the run waits for an open call after its code has returned. */
export function isOwed(): boolean {
  return owed > 0;
}

/** The call of this promise, if it is open. */
export function openCallOf(promise: object): OpenCall | undefined {
  const call = callAt.call(callsOfPromises, promise) as OpenCall | undefined;
  return call && open[call.index - base] === call ? call : undefined;
}

/** The call was passed to a combinator of `Promise`, so the run waits for it (again). */
export function enterCombinator(call: OpenCall): void {
  call.combinators = (call.combinators ?? 0) + 1;
  if (!call.lost) return;
  call.lost = false;
  owed += 1;
}

/** A race with this call has settled. If it was the last one, the run does not wait for the call any more. */
export function leaveCombinator(call: OpenCall): void {
  call.combinators = (call.combinators ?? 1) - 1;
  if (call.combinators > 0 || call.lost || open[call.index - base] !== call) return;
  call.lost = true;
  owed -= 1;
  lost[lost.length] = call;
}

/** Gives up the open calls that lost a race. */
export function abandonLost(): void {
  for (let position = 0; position < lost.length; position++) {
    const call = lost[position];
    if (call?.lost && open[call.index - base] === call) abandon(call.index);
  }
  lost.length = 0;
}

/** The open timers, in the order in which they were set. */
export function openTimers(): MadeCall[] {
  const timers: MadeCall[] = [];
  if (waiting === 0) return timers;
  for (let position = 0; position < open.length; position++) {
    const call = open[position];
    if (call?.timer) timers[timers.length] = call;
  }
  return timers;
}

function beginCall(path: string, input: string): number {
  const answer = host.call(path, input);
  if (typeof answer !== 'number') throw new LimitError(answer);
  return answer;
}

function keep(call: OpenCall): void {
  if (waiting === 0) {
    base = call.index;
    open.length = 0;
  }
  open[call.index - base] = call;
  waiting += 1;
  if (!call.timer) owed += 1;
}

function take(index: number): OpenCall | undefined {
  const call = index < base ? undefined : open[index - base];
  if (!call) return undefined;
  open[index - base] = undefined;
  waiting -= 1;
  if (!call.timer && !call.lost) owed -= 1;
  return call;
}
