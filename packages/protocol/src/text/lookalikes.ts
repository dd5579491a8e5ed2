/** Letters of other scripts that look like Latin ones: Cyrillic, Greek, Armenian, Cherokee, and some phonetic letters. */
export const lookalike =
  '[АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχγϲϳօոսհցᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏚᎢᏙᏔ\u{251}\u{261}]';

/** A word whose letters may be mistaken for Latin ones. */
export interface FalseWord {
  index: number;
  end: number;
  /** Whether it is part of an address, or of text that is written like one. */
  isInName: boolean;
}

/**
 * Finds words with Latin letters, and words of lookalikes only that are joined to one: `paypal` or `apple.com` with letters of another
 * script is a disguise. A word of one script is an ordinary word. Each word is read once, because untrusted parties choose the length of
 * the text.
 */
export function* falseWords(text: string): Generator<FalseWord> {
  let name: Word[] = [];
  for (const { index, 0: letters } of text.matchAll(words)) {
    const word = wordOf(letters, index);
    const joint = jointOf(text, name.at(-1), word);
    if (joint === '') {
      yield* falseIn(name);
      name = [];
    }
    name.push({ ...word, joint });
  }
  yield* falseIn(name);
}

interface Word {
  index: number;
  end: number;
  kind: 'latin' | 'lookalikes' | 'other';
  /** The characters between it and the word before. */
  joint: string;
}

/** Marks and digits belong to the word that they are in. */
const words = /[\p{L}\p{M}\p{N}]+/gu;
const latin = /(?![\u{251}\u{261}])\p{Script=Latin}|[\u{1d400}-\u{1d7ff}]/u;
const onlyLookalikes = new RegExp(`^(?:${lookalike}|[\\p{M}\\p{N}])+$`, 'u');
const joints = /^(?:[-._@/]{1,3}|:\/\/)$/;
const maxJointLength = 3;

function wordOf(letters: string, index: number): Omit<Word, 'joint'> {
  const foreign = onlyLookalikes.test(letters) ? 'lookalikes' : 'other';
  return { index, end: index + letters.length, kind: latin.test(letters) ? 'latin' : foreign };
}

/** Empty if the words do not belong together. A word with letters that look like no Latin one is never part of a Latin name. */
function jointOf(text: string, before: Word | undefined, { index, kind }: Omit<Word, 'joint'>): string {
  if (!before || kind === 'other' || before.kind === 'other') return '';
  const between = index - before.end > maxJointLength ? '' : text.slice(before.end, index);
  return joints.test(between) ? between : '';
}

function* falseIn(name: Word[]): Generator<FalseWord> {
  if (!name.some(({ kind }) => kind === 'latin')) return;
  for (const [index, word] of name.entries()) {
    if (index === name.length - 1 && isEnding(word)) continue;
    yield { index: word.index, end: word.end, isInName: name.length > 1 };
  }
}

/** As in `iPhone-а`: other languages add endings to Latin words. */
function isEnding({ index, end, kind, joint }: Word): boolean {
  return kind === 'lookalikes' && joint === '-' && end - index <= 2;
}
