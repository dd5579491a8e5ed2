import { codeFile } from './contract.ts';
import { defineOwn, NativeError } from './host.ts';

/**
 * `error.stack` as code may show it: a head with the name and the message, as elsewhere, and the frames of the code alone. What the host
 * reads is the engine's own.
 */
const { getOwnPropertyDescriptor } = Object;
const ownFrames = new WeakMap<object, string>();
const { get: known, set: keep } = WeakMap.prototype;
const engines = getOwnPropertyDescriptor(NativeError.prototype, 'stack');

/** The frames as the engine tells them, ours included. */
export function framesOf(error: object): string {
  const stack = known.call(ownFrames, error) ?? engines?.get?.call(error);
  return typeof stack === 'string' ? stack : '';
}

/** The frames of the line that asks. */
export function framesHere(): string {
  return framesOf(new NativeError());
}

/** Gives an error the frames of another line than the one which made it. */
export function setFrames(error: Error, frames: string): void {
  defineOwn(error, 'stack', withHead(error, frames));
  keep.call(ownFrames, error, frames);
}

/** Where in the code it was made, if it was: `code.ts:3:5`. */
export function placeOf(error: object): string | undefined {
  return /code\.ts:\d+:\d+/.exec(asSubmitted(framesOf(error)))?.[0];
}

/** How many characters the first line has before the submitted ones. */
export function setHead(characters: number): void {
  head = characters;
}

let head = 0;

function asSubmitted(frames: string): string {
  return frames.replace(/(code\.ts:1:)(\d+)/g, (_whole, place: string, column: string) => {
    return place + Math.max(1, Number(column) - head);
  });
}

if (engines?.get) {
  const { get, set } = engines;
  Object.defineProperty(NativeError.prototype, 'stack', {
    configurable: true,
    get(this: Error) {
      const stack: unknown = get.call(this);
      return typeof stack === 'string' ? withHead(this, stack) : stack;
    },
    ...(set && { set }),
  });
}

function withHead(error: Error, frames: string): string {
  const ours = asSubmitted(frames)
    .split('\n')
    .filter((line) => line.includes(codeFile));
  return [headOf(error), ...ours].join('\n');
}

/** Whatever code made of its name and message: reading a stack must not throw. */
function headOf(error: Error): string {
  try {
    return `${String(error.name)}: ${String(error.message)}`;
  } catch {
    return 'Error';
  }
}
