import type { Image } from './image.ts';

/*
 * The file format of an image: a line of JSON, then the memory. The build makes it once, because running the prelude would take most of a
 * lane's start time.
 */
const lineEnd = 10;

type Facts = Omit<Image, 'module' | 'memory'>;

export function encodeImage({ build, stackPointer, roots, entries, memory }: Image): Buffer {
  const facts: Facts = { build, stackPointer, roots, entries };
  return Buffer.concat([Buffer.from(`${JSON.stringify(facts)}\n`), memory]);
}

export function decodeImage(file: Buffer, engine: Buffer): Image {
  const end = file.indexOf(lineEnd);
  const facts: Facts = JSON.parse(file.toString('utf8', 0, end));
  return {
    ...facts,
    memory: file.subarray(end + 1),
    module: new WebAssembly.Module(Uint8Array.from(engine)),
  };
}
