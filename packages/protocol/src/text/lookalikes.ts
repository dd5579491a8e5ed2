/** Letters of other scripts that look like Latin ones (Cyrillic, Greek, Armenian, Cherokee), and those of phonetics that do. */
export const lookalike =
  '[АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχγϲϳօոսհցᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏚᎢᏙᏔ\u{251}\u{261}]';

/** A word in which a letter that looks like a Latin one is there to be taken for it. */
export interface FalseWord {
  index: number;
  end: number;
  /** Whether it is a part of an address, or of what is written like one. */
  isInName: boolean;
}

/**
 * The words that have Latin letters, and those of lookalikes alone that are joined to one: nobody writes `paypal` or `apple.com` with letters
 * of another script but to be taken for another. A word that is all of one script is a word of some language. Each word is looked at once,
 * however many suspects it has: whoever writes texts to be approved chooses how long they are.
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
  /** What joins it to the word before. */
  joint: string;
}

/** Marks and digits belong to the word that they are in. */
const words = /[\p{L}\p{M}\p{N}]+/gu;
const latin = /(?![\u{251}\u{261}])\p{Script=Latin}|[\u{1d400}-\u{1d7ff}]/u;
const onlyLookalikes = new RegExp(`^(?:${lookalike}|[\\p{M}\\p{N}])+$`, 'u');
const joints = /^(?:[-._@/]{1,3}|:\/\/)$/;
const longestJoint = 3;

function wordOf(letters: string, index: number): Omit<Word, 'joint'> {
  const foreign = onlyLookalikes.test(letters) ? 'lookalikes' : 'other';
  return { index, end: index + letters.length, kind: latin.test(letters) ? 'latin' : foreign };
}

/** A word that is surely of another script belongs to no Latin name. */
function jointOf(text: string, before: Word | undefined, { index, kind }: Omit<Word, 'joint'>): string {
  if (!before || kind === 'other' || before.kind === 'other') return '';
  const between = index - before.end > longestJoint ? '' : text.slice(before.end, index);
  return joints.test(between) ? between : '';
}

function* falseIn(name: Word[]): Generator<FalseWord> {
  if (!name.some(({ kind }) => kind === 'latin')) return;
  for (const [place, word] of name.entries()) {
    if (place === name.length - 1 && isEnding(word)) continue;
    yield { index: word.index, end: word.end, isInName: name.length > 1 };
  }
}

/** As in `iPhone-а`: other languages bend Latin words. */
function isEnding({ index, end, kind, joint }: Word): boolean {
  return kind === 'lookalikes' && joint === '-' && end - index <= 2;
}
