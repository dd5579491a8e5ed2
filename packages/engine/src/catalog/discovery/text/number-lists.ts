/** Short lists of numbers in one array. Thousands of small arrays would be scattered in memory. */
export class NumberLists {
  numbers = new Uint32Array(1 << 12);
  /** The start of each list, and the end of the last one. */
  starts = new Uint32Array(1 << 10);
  #count = 0;
  #length = 0;

  /** Adds a number to the open list. */
  push(number: number): void {
    if (this.#length === this.numbers.length) this.numbers = grown(this.numbers);
    this.numbers[this.#length++] = number;
  }

  close(): void {
    this.#count += 1;
    if (this.#count === this.starts.length) this.starts = grown(this.starts);
    this.starts[this.#count] = this.#length;
  }

  some(list: number, isWanted: (number: number) => boolean): boolean {
    const end = this.starts[list + 1] as number;
    for (let position = this.starts[list] as number; position < end; position++)
      if (isWanted(this.numbers[position] as number)) return true;
    return false;
  }
}

function grown(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
}
