import { EncodeError, LimitError, MissingError, toolError } from './errors.ts';
import { host, NativePromise, parse } from './host.ts';
import { setFrames } from './stack.ts';

/** An open call. `stack` is the stack of the line that made the call. */
interface OpenCall {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  stack: string;
}

/**
 * The open calls: the call with index `base + i` is at `i`. The array is reset when no call is open. It has no prototype, because code may
 * change that of arrays. A `Map` of a thousand calls would take ten times as long.
 */
const open: (OpenCall | undefined)[] = Object.setPrototypeOf([], null);
let base = 0;
let waiting = 0;

/** Returns a promise even for a call that cannot be made, so that errors of calls always arrive in the same way. */
export function request(path: string, input: () => string, stack: string): Promise<unknown> {
  try {
    const index = beginCall(path, input());
    return new NativePromise((resolve, reject) => keep(index, { resolve, reject, stack }));
  } catch (error) {
    if (error instanceof EncodeError || error instanceof MissingError || error instanceof LimitError)
      setFrames(error, stack);
    return new NativePromise((_resolve, reject) => reject(error));
  }
}

/** Makes a call whose answer runs a function. Returns its index. */
export function requestThen(path: string, input: string, run: () => void): number {
  const index = beginCall(path, input);
  keep(index, { resolve: run, reject: run, stack: '' });
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
  if (name === undefined) call.resolve(json === '' ? undefined : parse(json));
  else call.reject(toolError({ name, message: message ?? '', details: json }, call.stack));
}

function beginCall(path: string, input: string): number {
  const answer = host.call(path, input);
  if (typeof answer !== 'number') throw new LimitError(answer);
  return answer;
}

function keep(index: number, call: OpenCall): void {
  if (waiting === 0) {
    base = index;
    open.length = 0;
  }
  open[index - base] = call;
  waiting += 1;
}

function take(index: number): OpenCall | undefined {
  const call = index < base ? undefined : open[index - base];
  if (!call) return undefined;
  open[index - base] = undefined;
  waiting -= 1;
  return call;
}
