import { editDistance } from './edits.ts';

/** Words to compare others with. Comparing sets of letters first excludes most words cheaply. */
export class WordList {
  readonly words: readonly string[];
  #letters: Uint32Array | undefined;

  constructor(words: readonly string[]) {
    this.words = words;
  }

  /** Calls `visit` with each other word within `maxEdits`. */
  eachNear(word: string, maxEdits: number, visit: (near: string, edits: number) => void): void {
    this.#letters ??= Uint32Array.from(this.words, lettersOf);
    const letters = lettersOf(word);
    for (let position = 0; position < this.words.length; position++) {
      const other = this.words[position] as string;
      if (Math.abs(other.length - word.length) > maxEdits) continue;
      // An edit removes at most one letter and adds at most one.
      if (bitsIn(letters ^ (this.#letters[position] as number)) > maxEdits * 2) continue;
      const edits = editDistance(word, other, maxEdits);
      if (edits !== undefined && edits > 0) visit(other, edits);
    }
  }
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let position = 0; position < word.length; position++) letters |= 1 << (word.charCodeAt(position) & 31);
  return letters;
}

function bitsIn(number: number): number {
  let count = 0;
  for (let left = number; left !== 0; left &= left - 1) count += 1;
  return count;
}
