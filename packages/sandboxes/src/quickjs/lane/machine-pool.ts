import type { Image } from './image.ts';
import { pageBytes } from './image.ts';
import { Machine } from './machine.ts';

/**
 * Reuses machines: overwriting memory with the image is about twenty times cheaper than a new instance. A machine whose memory grew cannot
 * shrink, and one that trapped cannot be trusted, so both are dropped.
 */
export class MachinePool {
  readonly #spare: { machine: Machine; maximumPages: number }[] = [];
  readonly #image: Image;
  readonly #keep: number;

  constructor(image: Image, keep: number) {
    this.#image = image;
    this.#keep = keep;
  }

  /** A machine in the image's state. */
  take(maximumPages: number): Machine {
    const machine = this.#spareMachine(maximumPages) ?? this.#newMachine(maximumPages);
    // Below the stack pointer are only leftovers of earlier calls.
    const { memory, stackPointer } = this.#image;
    machine.bytes.set(memory.subarray(stackPointer), stackPointer);
    machine.stackPointer = stackPointer;
    machine.roots = this.#image.roots;
    return machine;
  }

  /** Returns a sound machine to the pool. The result says whether the pool kept it. */
  giveBack(machine: Machine, maximumPages: number): boolean {
    const grew = machine.memory.buffer.byteLength > this.#image.memory.length;
    if (grew || this.#spare.length >= this.#keep) return false;
    this.#spare.push({ machine, maximumPages });
    return true;
  }

  #spareMachine(maximumPages: number): Machine | undefined {
    const position = this.#spare.findLastIndex((spare) => spare.maximumPages === maximumPages);
    return position < 0 ? undefined : this.#spare.splice(position, 1)[0]?.machine;
  }

  #newMachine(maximumPages: number): Machine {
    const minimum = this.#image.memory.length / pageBytes;
    return new Machine(this.#image.module, { minimum, maximum: Math.max(minimum, maximumPages) });
  }
}
