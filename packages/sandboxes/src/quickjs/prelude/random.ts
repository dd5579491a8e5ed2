import { NativeDate } from './host.ts';

/** sfc32: small, fast and the same on every machine. It makes runs repeatable and is not suitable for keys. */
const state = new Uint32Array(4);
export const origin = { at: 0 };

export function seed(text: string): void {
  state.set([0x9e3779b9, 0x243f6a88, 0xb7e15162, 1]);
  for (let position = 0; position < text.length; position++) {
    state[position % 3] = Math.imul((state[position % 3] ?? 0) ^ text.charCodeAt(position), 0x01000193);
    nextUint32();
  }
  for (let round = 0; round < 16; round++) nextUint32();
  origin.at = NativeDate.now();
}

export function nextUint32(): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state;
  const result = (a + b + counter) >>> 0;
  state[0] = b ^ (b >>> 9);
  state[1] = c + (c << 3);
  state[2] = ((c << 21) | (c >>> 11)) + result;
  state[3] = counter + 1;
  return result;
}

Math.random = function random(): number {
  return ((nextUint32() >>> 5) * 2 ** 26 + (nextUint32() >>> 6)) / 2 ** 53;
};
