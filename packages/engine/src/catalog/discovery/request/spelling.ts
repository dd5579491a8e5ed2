import type { SearchedSource } from '../index/source-index.ts';
import { isWord, listedWords } from '../lexicon/lexicon.ts';
import { emptyWords, requestWords } from '../lexicon/stop-words.ts';
import { stem } from '../text/stem.ts';
import { WordList } from '../text/word-list.ts';
import type { Vocabulary } from './vocabulary.ts';

/** For how many words of a request others are looked for: each is compared with all that there are. */
const maxCompared = 24;
const shortest = 3;
/** From here on two letters may be wrong. */
const long = 8;
/** So much more usual than what is written is what was meant, where both are words of tools. */
const muchMoreUsual = 10;
/** What is said in every request is as usual as what is in many tools. */
const usualInRequests = 30;
const perEdit = 3;
const otherBeginning = 1.5;

const listed = new WordList([...listedWords].filter((word) => word.length > shortest));

/** Finds what was meant by words that are spelt wrong: what tools are called and what requests are made of, compared as it is written. */
export class Spelling {
  readonly #vocabulary: Vocabulary;
  readonly #lists: WordList[];
  #compared = 0;

  constructor(sources: readonly SearchedSource[], vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#lists = [...sources.map(({ index }) => index.words), listed];
  }

  /** Undefined where it is a word, or nothing is near. */
  meant(word: string): string | undefined {
    if (!/^[a-z]{3,40}$/.test(word) || isWord(word)) return undefined;
    if (this.#compared === maxCompared) return undefined;
    this.#compared += 1;
    const least = this.#vocabulary.count(stem(word)) * muchMoreUsual;
    let best: { word: string; worth: number } | undefined;
    const see = (near: string, edits: number) => {
      const usual = this.#usualness(near);
      if (usual < least || (word.length === shortest && !isLeftOut(word, near)) || isOpposed(word, near))
        return;
      const worth = Math.log(1 + usual) - perEdit * edits - (beginsAlike(word, near) ? 0 : otherBeginning);
      if (best === undefined || worth > best.worth || (worth === best.worth && near < best.word))
        best = { word: near, worth };
    };
    for (const list of this.#lists) list.eachNear(word, word.length >= long ? 2 : 1, see);
    return best?.word;
  }

  #usualness(word: string): number {
    if (emptyWords.has(word) || requestWords.has(word)) return usualInRequests;
    return Math.max(this.#vocabulary.count(stem(word)), 1);
  }
}

/** Of so few letters none is wrong, but one may be missing: `lst`. */
function isLeftOut(word: string, near: string): boolean {
  return near.length > word.length && near[0] === word[0];
}

/** `unverified` is no mistake for `verified`. */
function isOpposed(word: string, near: string): boolean {
  return word.endsWith(near) && ['un', 're', 'de', 'in', 'im'].includes(word.slice(0, -near.length));
}

/** With the same letter, or with the first two in the other order. */
function beginsAlike(word: string, near: string): boolean {
  return word[0] === near[0] || (word[0] === near[1] && word[1] === near[0]);
}
