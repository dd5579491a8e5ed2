import { LimitError, toolError } from './errors.ts';
import { host, NativeError, NativePromise, ownMap, parse } from './host.ts';

/** The calls that wait for their answers, by index. */
interface OpenCall {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  stack: string;
}

const open = ownMap<number, OpenCall>();

export function request(path: string, input: string): Promise<unknown> {
  const index = beginCall(path, input);
  const stack = new NativeError().stack ?? '';
  return new NativePromise((resolve, reject) => {
    open.set(index, { resolve, reject, stack });
  });
}

/** Makes a call whose answer runs a function, and answers its index. */
export function requestThen(path: string, input: string, run: () => void): number {
  const index = beginCall(path, input);
  open.set(index, { resolve: run, reject: run, stack: '' });
  return index;
}

export function abandon(index: number): void {
  open.delete(index);
  host.abandon(index);
}

/** Called by the host. A call that was abandoned meanwhile has nobody to tell. */
export function deliver(index: number, json: string, name?: string, message?: string): void {
  const call = open.get(index);
  if (!call) return;
  open.delete(index);
  if (name === undefined) call.resolve(json === '' ? undefined : parse(json));
  else call.reject(toolError({ name, message: message ?? '', details: json }, call.stack));
}

function beginCall(path: string, input: string): number {
  const answer = host.call(path, input);
  if (typeof answer !== 'number') throw new LimitError(answer);
  return answer;
}
