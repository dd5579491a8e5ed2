import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Vm } from './vm.ts';

/**
 * Encodes a VM's memory as its difference from the image: `u32 piece number, piece` repeated, deflated. A run writes a few bytes in many
 * pages (mostly reference counts), so pages are compared first, and only the changed pieces of changed pages are kept. Memory beyond the
 * image is compared with zeros. The stack is at the lowest addresses and is left out, because a waiting VM has nothing on it.
 */
const pageBytes = 4096;
const pieceBytes = 128;
const numberBytes = 4;
/** The lane is blocked meanwhile: comparing this much takes about 20 ms, and deflating noise 50 ms. */
const maxMemoryBytes = 128 * 1024 * 1024;
const maxPieceBytes = 2 * 1024 * 1024;
const zeros = Buffer.alloc(pageBytes);

/** Undefined if there are so many pages that rebuilding the VM later is cheaper than keeping them. */
export function differingPages({ machine }: Vm, image: Uint8Array): Uint8Array | undefined {
  const now = Buffer.from(machine.memory.buffer);
  if (now.length > maxMemoryBytes) return undefined;
  const differ = (at: number, bytes: number) =>
    at < image.length
      ? now.compare(image, at, at + bytes, at, at + bytes) !== 0
      : now.compare(zeros, 0, bytes, at, at + bytes) !== 0;
  const pieces: Uint8Array[] = [];
  const maxPieces = (2 * maxPieceBytes) / pieceBytes;
  for (let page = firstPage(machine.stackPointer); page < now.length; page += pageBytes) {
    if (pieces.length > maxPieces) return undefined;
    if (!differ(page, pageBytes)) continue;
    for (let at = page; at < page + pageBytes; at += pieceBytes) {
      if (differ(at, pieceBytes)) pieces.push(pieceNumber(at), now.subarray(at, at + pieceBytes));
    }
  }
  return deflateRawSync(Buffer.concat(pieces), { level: 1 });
}

/** Writes the pieces over memory that has the image's state. Throws if the list is invalid. */
export function applyPages(memory: Uint8Array, deflated: Uint8Array): void {
  const pieces = inflateRawSync(deflated, { maxOutputLength: 2 * memory.length });
  if (pieces.length % (numberBytes + pieceBytes) !== 0) throw new RangeError('The pages are cut off.');
  for (let at = 0; at < pieces.length; at += numberBytes + pieceBytes) {
    const target = pieces.readUInt32LE(at) * pieceBytes;
    if (target + pieceBytes > memory.length) throw new RangeError('A page lies outside the memory.');
    memory.set(pieces.subarray(at + numberBytes, at + numberBytes + pieceBytes), target);
  }
}

function firstPage(stackPointer: number): number {
  return Math.floor(stackPointer / pageBytes) * pageBytes;
}

function pieceNumber(at: number): Buffer {
  const number = Buffer.allocUnsafe(numberBytes);
  number.writeUInt32LE(at / pieceBytes);
  return number;
}
