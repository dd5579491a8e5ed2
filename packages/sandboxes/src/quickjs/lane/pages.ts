import { deflateRawSync, inflateRawSync } from 'node:zlib';

import type { Vm } from './vm.ts';

/**
 * A VM's memory as the 4 KB pages that differ from the image: `u32 page number, page` repeated, deflated. Pages beyond the
 * image are compared with zeros. The stack lies below everything else and a waiting VM has nothing on it: what is there is
 * garbage and left out.
 */
const chunkBytes = 4096;
const zeros = Buffer.alloc(chunkBytes);
const numberBytes = 4;

export function differingPages({ machine }: Vm, image: Uint8Array): Uint8Array {
  const now = Buffer.from(machine.memory.buffer);
  const base = Buffer.from(image.buffer, image.byteOffset, image.length);
  const parts: Uint8Array[] = [];
  for (let at = firstChunk(machine.stackPointer); at < now.length; at += chunkBytes) {
    const page = now.subarray(at, at + chunkBytes);
    const before = at < base.length ? base.subarray(at, at + chunkBytes) : zeros;
    if (page.equals(before)) continue;
    const number = Buffer.allocUnsafe(numberBytes);
    number.writeUInt32LE(at / chunkBytes);
    parts.push(number, page);
  }
  return deflateRawSync(Buffer.concat(parts), { level: 1 });
}

function firstChunk(stackPointer: number): number {
  return Math.floor(stackPointer / chunkBytes) * chunkBytes;
}

/** Writes the pages over memory that is in the image's state. Throws on anything that is not such a list. */
export function applyPages(memory: Uint8Array, deflated: Uint8Array): void {
  const pages = inflateRawSync(deflated, { maxOutputLength: 2 * memory.length });
  if (pages.length % (numberBytes + chunkBytes) !== 0) throw new RangeError('The pages are cut off.');
  for (let at = 0; at < pages.length; at += numberBytes + chunkBytes) {
    const target = pages.readUInt32LE(at) * chunkBytes;
    if (target + chunkBytes > memory.length) throw new RangeError('A page lies outside the memory.');
    memory.set(pages.subarray(at + numberBytes, at + numberBytes + chunkBytes), target);
  }
}
