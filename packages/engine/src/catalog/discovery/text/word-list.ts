import { withinEdits } from './edits.ts';

/** Words to compare others with. Which letters a word has tells of most that they are too far away, without looking at them. */
export class WordList {
  readonly words: readonly string[];
  #letters: Uint32Array | undefined;

  constructor(words: readonly string[]) {
    this.words = words;
  }

  /** Calls `see` with each word that is no more than so many edits away. */
  eachNear(word: string, most: number, see: (near: string, edits: number) => void): void {
    this.#letters ??= Uint32Array.from(this.words, lettersOf);
    const letters = lettersOf(word);
    for (let place = 0; place < this.words.length; place++) {
      const other = this.words[place] as string;
      if (Math.abs(other.length - word.length) > most) continue;
      // An edit takes one letter away and brings another one.
      if (bitsIn(letters ^ (this.#letters[place] as number)) > most * 2) continue;
      const edits = withinEdits(word, other, most);
      if (edits !== undefined && edits > 0) see(other, edits);
    }
  }
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let place = 0; place < word.length; place++) letters |= 1 << (word.charCodeAt(place) & 31);
  return letters;
}

function bitsIn(number: number): number {
  let count = 0;
  for (let left = number; left !== 0; left &= left - 1) count += 1;
  return count;
}
