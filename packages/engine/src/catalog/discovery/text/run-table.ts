import { kindOf, other } from './runs.ts';

/** Numbers the runs of texts. Most were seen before, and are recognised where they stand, without being cut out of their text. */
export class RunTable {
  readonly runs: string[] = [];
  readonly #hashes: number[] = [];
  #slots = new Int32Array(1 << 12);
  // Another one for each table, so that nobody can write a document whose runs all fall on one place.
  readonly #factor = (Math.floor(Math.random() * 0x3fffffff) << 1) | 0x10001;

  /** Puts the numbers of a text's runs into a list, in their order, and says how many there are. */
  numbersIn(text: string, into: number[]): number {
    const end = text.length;
    const factor = this.#factor;
    let [count, start, kind, hash] = [0, 0, other, 0];
    for (let place = 0; place <= end; place++) {
      const code = place < end ? text.charCodeAt(place) : 0;
      const now = place < end ? kindOf(code) : other;
      if (now !== kind) {
        if (kind !== other) into[count++] = this.#numberOf(text, start, place, hash);
        start = place;
        kind = now;
        hash = 0;
      }
      hash = Math.imul(hash ^ code, factor);
      hash ^= hash >>> 15;
    }
    return count;
  }

  #numberOf(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (this.#hashes[number] === hash && isAt(this.runs[number] as string, text, start, end)) return number;
    }
    this.runs.push(text.slice(start, end));
    this.#hashes.push(hash);
    this.#slots[slot] = this.runs.length;
    if (this.runs.length * 2 > this.#slots.length) this.#grow();
    return this.runs.length - 1;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (const [number, hash] of this.#hashes.entries()) {
      let slot = hash & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }
}

function isAt(run: string, text: string, start: number, end: number): boolean {
  if (run.length !== end - start) return false;
  for (let place = 0; place < run.length; place++)
    if (run.charCodeAt(place) !== text.charCodeAt(start + place)) return false;
  return true;
}
