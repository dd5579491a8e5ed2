import type { SearchedSource } from '../index/open-index.ts';
import { isWord, listedWords } from '../lexicon/lexicon.ts';
import { emptyWords, requestWords } from '../lexicon/stop-words.ts';
import { stem } from '../text/stem.ts';
import { WordList } from '../text/word-list.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Words of a request that are corrected. Each one is compared with all known words. */
const maxCompared = 24;
const minLength = 3;
/** Words of this length may have two edits. */
const longLength = 8;
/** If tools have the written word too, a correction must be this many times as frequent. */
const minFrequencyRatio = 10;
/** The frequency of words that occur in many requests, comparable to a word of many tools. */
const requestWordFrequency = 30;
const editPenalty = 3;
const firstLetterPenalty = 1.5;

const lexiconWords = new WordList([...listedWords].filter((word) => word.length > minLength));

/**
 * Corrects misspelt words of a request. It compares them with the words of tools and of the lexicon, as they are
 * written.
 */
export class Spelling {
  readonly #vocabulary: Vocabulary;
  readonly #lists: WordList[];
  #compared = 0;

  constructor(sources: readonly SearchedSource[], vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#lists = [...sources.map(({ index }) => index.words), lexiconWords];
  }

  /** The correction of a word; undefined if it is a word itself, or no known word is near. */
  correct(word: string): string | undefined {
    if (!/^[a-z]{3,40}$/.test(word) || isWord(word)) return undefined;
    if (this.#compared === maxCompared) return undefined;
    this.#compared += 1;
    const minFrequency = this.#vocabulary.count(stem(word)) * minFrequencyRatio;
    let best: { word: string; score: number } | undefined;
    const compare = (near: string, edits: number) => {
      const frequency = this.#frequency(near);
      if (frequency < minFrequency || isOtherWord(word, near)) return;
      const penalty = editPenalty * edits + (beginsAlike(word, near) ? 0 : firstLetterPenalty);
      const score = Math.log(1 + frequency) - penalty;
      if (best === undefined || score > best.score || (score === best.score && near < best.word))
        best = { word: near, score };
    };
    for (const list of this.#lists) list.eachNear(word, word.length >= longLength ? 2 : 1, compare);
    return best?.word;
  }

  #frequency(word: string): number {
    if (emptyWords.has(word) || requestWords.has(word)) return requestWordFrequency;
    return Math.max(this.#vocabulary.count(stem(word)), 1);
  }
}

function isOtherWord(word: string, near: string): boolean {
  return (word.length === minLength && !lacksLetter(word, near)) || isNegation(word, near);
}

/** The shortest words are only corrected by adding a letter: `lst`. */
function lacksLetter(word: string, near: string): boolean {
  return near.length > word.length && near[0] === word[0];
}

/** `unverified` is not a misspelling of `verified`. */
function isNegation(word: string, near: string): boolean {
  return word.endsWith(near) && ['un', 're', 'de', 'in', 'im'].includes(word.slice(0, -near.length));
}

/** Whether the first letters are equal, or the first two letters are swapped. */
function beginsAlike(word: string, near: string): boolean {
  return word[0] === near[0] || (word[0] === near[1] && word[1] === near[0]);
}
