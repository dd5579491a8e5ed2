import { codeFile } from './contract.ts';
import { defineOwn, NativeError } from './host.ts';

/**
 * Shows `error.stack` to code with a first line of name and message, and only the frames of the code. The host reads the engine's own
 * stack.
 */
const { getOwnPropertyDescriptor } = Object;
const ownFrames = new WeakMap<object, string>();
const { get: read, set: keep } = WeakMap.prototype;
const engines = getOwnPropertyDescriptor(NativeError.prototype, 'stack');

/** All frames, including ours. */
export function framesOf(error: object): string {
  const stack = read.call(ownFrames, error) ?? engines?.get?.call(error);
  return typeof stack === 'string' ? stack : '';
}

/** The frames of the current line. */
export function framesHere(): string {
  return framesOf(new NativeError());
}

/** Sets the frames of an error to those of another line. */
export function setFrames(error: Error, frames: string): void {
  defineOwn(error, 'stack', withHead(error, frames));
  keep.call(ownFrames, error, frames);
}

/** The position in the code that made the error, such as `code.ts:3:5`. */
export function locationOf(error: object): string | undefined {
  return /code\.ts:\d+:\d+/.exec(asSubmitted(framesOf(error)))?.[0];
}

/** The position of the innermost line of the code, in the compiled code. */
export function positionIn(frames: string): { line: number; column: number } {
  const [, line = '0', column = '0'] = /code\.ts:(\d+):(\d+)/.exec(frames) ?? [];
  return { line: Number(line), column: Number(column) };
}

/** Sets the number of characters before the submitted code on the first line. */
export function setHead(characters: number): void {
  head = characters;
}

let head = 0;

function asSubmitted(frames: string): string {
  return frames.replace(/(code\.ts:1:)(\d+)/g, (_whole, prefix: string, column: string) => {
    return prefix + Math.max(1, Number(column) - head);
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

/** Never throws, whatever the code did to the name and message. */
function headOf(error: Error): string {
  try {
    return `${String(error.name)}: ${String(error.message)}`;
  } catch {
    return 'Error';
  }
}
