/** Short lists of numbers, one after the other in one array: thousands of small arrays would lie all over the memory. */
export class NumberLists {
  numbers = new Uint32Array(1 << 12);
  /** Where each list begins; one more at the end. */
  starts = new Uint32Array(1 << 10);
  #count = 0;
  #length = 0;

  /** Adds to the list that is not closed yet. */
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
    for (let place = this.starts[list] as number; place < end; place++)
      if (isWanted(this.numbers[place] as number)) return true;
    return false;
  }
}

function grown(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
}
