import type { HostArguments, Machine } from './machine.ts';

/**
 * The arguments of a prelude call, which may be anything. Text is read only up to a limit, because it is copied to the lane's memory, which
 * is not counted against the run.
 */
export class Arguments {
  readonly #machine: Machine;
  readonly #args: HostArguments;

  constructor(machine: Machine, args: HostArguments) {
    this.#machine = machine;
    this.#args = args;
  }

  /** Undefined if the argument is not a string, or is longer than the limit. */
  text(position: number, maxBytes: number): string | undefined {
    return this.#read(position, (at, length) =>
      length > maxBytes ? undefined : this.#machine.bytes.toString('utf8', at, at + length),
    );
  }

  /** The start of a text, and the size of the whole text. */
  beginning(position: number, maxBytes: number): { text: string; bytes: number } | undefined {
    return this.#read(position, (at, bytes) => {
      const end = at + Math.min(bytes, maxBytes);
      const text = this.#machine.bytes.toString('utf8', at, end);
      return { text: bytes > maxBytes ? text.replace(/\uFFFD$/, '') : text, bytes };
    });
  }

  /** The bytes, or the reason why their number is refused. */
  copyUnless(position: number, refuse: (bytes: number) => string | undefined): Buffer | string | undefined {
    return this.#read(
      position,
      (at, length) => refuse(length) ?? Buffer.from(this.#machine.bytes.subarray(at, at + length)),
    );
  }

  number(position: number): number | undefined {
    const value = this.#machine.argument(this.#args, position);
    return value !== undefined && this.#machine.isNumber(value) ? this.#machine.readNumber(value) : undefined;
  }

  #read<T>(position: number, use: (at: number, length: number) => T): T | undefined {
    const value = this.#machine.argument(this.#args, position);
    if (value === undefined || !this.#machine.isString(value)) return undefined;
    return this.#machine.readBytes(value, use);
  }
}
