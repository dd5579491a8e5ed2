/** Short lists of numbers, one after the other in one array: thousands of small arrays would lie all over the memory. */
export class IdLists {
  /** The numbers of all lists, and for each list where it begins and ends; both are 0 where there is none. */
  ids = new Int32Array(1 << 7);
  from = new Int32Array(1 << 6);
  to = new Int32Array(1 << 6);
  // The first place is left empty.
  #length = 1;

  has(list: number): boolean {
    return (this.from[list] ?? 0) !== 0;
  }

  add(list: number, ids: readonly number[]): void {
    const end = this.#length + ids.length;
    if (end > this.ids.length) this.ids = grown(this.ids, end * 2);
    if (list >= this.from.length) {
      this.from = grown(this.from, list * 2);
      this.to = grown(this.to, list * 2);
    }
    this.ids.set(ids, this.#length);
    this.from[list] = this.#length;
    this.to[list] = end;
    this.#length = end;
  }

  some(list: number, isWanted: (id: number) => boolean): boolean {
    const end = this.to[list] ?? 0;
    for (let place = this.from[list] ?? 0; place < end; place++)
      if (isWanted(this.ids[place] as number)) return true;
    return false;
  }
}

function grown(from: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(size);
  to.set(from);
  return to;
}
