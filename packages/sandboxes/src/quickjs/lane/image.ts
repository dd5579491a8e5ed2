import { createHash } from 'node:crypto';
import type { ImportedMemoryModule } from './imported-memory.ts';
import { Machine, type MachineRoots, type Value } from './machine.ts';

/**
 * The initial state of every VM: an engine that has run the prelude. It is identical on all machines. So its hash names the build, and the
 * memory of one process fits into any other process with that hash.
 */
export interface Image {
  build: string;
  module: WebAssembly.Module;
  memory: Uint8Array;
  stackPointer: number;
  roots: MachineRoots;
  entries: Entries;
}

/** The prelude's functions that the host calls. Their addresses are the same in every VM. */
type Entries = Record<(typeof entryNames)[number], Value>;

const entryNames = ['seed', 'start', 'deliver', 'drain', 'noteError', 'describeError'] as const;
const hostObject = '__executor';
export const hostMethods = [
  'call',
  'abandon',
  'log',
  'settle',
  'parseUrl',
  'changeUrl',
  'parseQuery',
  'formatQuery',
  'formatNumber',
  'formatDate',
  'compareTexts',
  'pluralForm',
  'encodeText',
  'decodeText',
] as const;
export const pageBytes = 65_536;
const preludeFile = 'executor:prelude';
const buildMaximumPages = 256;
const heapReserve = 768 * 1024;
const collectAtBytes = 4 * 1024 * 1024;

export function createImage({ bytes, minimumPages }: ImportedMemoryModule, prelude: string): Image {
  const module = new WebAssembly.Module(bytes);
  const machine = new Machine(module, { minimum: minimumPages, maximum: buildMaximumPages });
  machine.initialize();
  const shared = machine.defineHostObject(hostObject, hostMethods);
  const done = machine.evaluate(prelude, preludeFile);
  if (machine.isException(done)) throw new Error(`The prelude failed: ${exceptionText(machine)}`);
  const entries = Object.fromEntries(
    entryNames.map((name) => [name, machine.getProperty(shared, name)]),
  ) as Entries;
  machine.collect(collectAtBytes);
  machine.reserve(heapReserve);
  const memory = new Uint8Array(machine.bytes);
  const build = createHash('sha256').update(bytes).update(memory).digest('hex').slice(0, 32);
  return { build, module, memory, stackPointer: machine.stackPointer, roots: machine.roots, entries };
}

function exceptionText(machine: Machine): string {
  const error = machine.takeException();
  const message = machine.getProperty(error, 'message');
  return machine.isString(message) ? machine.readString(message) : 'no message';
}
