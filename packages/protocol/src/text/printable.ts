import { type FalseWord, falseWords, lookalike } from './lookalikes.ts';

/** A piece of a text: as it is, or one character that must not be taken for what it looks like. */
export type TextPart = { type: 'plain'; text: string } | { type: 'disguise'; codePoint: number };

/**
 * What steers a terminal, turns text around, cannot be seen, or looks like an ordinary space without being one. A selector of variants
 * belongs to the emoji before it, and hides data anywhere else.
 */
const unseen =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{a0}\u{115f}\u{1160}\u{1680}\u{2000}-\u{200a}\u{202f}\u{205f}\u{2800}\u{3000}\u{3164}\u{ffa0}]|\u{34f}|\u{17b4}|\u{17b5}|[\u{180b}-\u{180f}]|[\u{fe00}-\u{fe0e}]|[\u{e0100}-\u{e01ef}]|(?<![\p{Extended_Pictographic}\d#*])\u{fe0f}/u;

/** Where letters and digits in another dress are: fullwidth, mathematical, Roman numerals, ligatures and the like. */
const dressed =
  /[\u{132}-\u{1f3}\u{2b0}-\u{2e3}\u{1d2c}-\u{1dbb}\u{2071}-\u{217f}\u{2c7c}\u{2c7d}\u{a7f1}-\u{a7f4}\u{fb00}-\u{fb06}\u{ff10}-\u{ff5a}\u{10780}-\u{107ff}\u{1cc00}-\u{1cfff}\u{1d400}-\u{1fbff}]/u;
/** Raised and lowered digits, and signs, are seen to be others. A letter that is an emoji is one by what follows it. */
const seen = /[\u{2074}-\u{2079}\u{2080}-\u{2089}₨℠№™]|ℹ\u{fe0f}/u;

/** In Turkish a letter like any other; in a name, one that looks like another. */
const dotless = 'ı';

const suspect = new RegExp(
  `(?<unseen>${unseen.source})|(?<letter>${lookalike}|${dotless})|(?!${seen.source})${dressed.source}`,
  'gu',
);

/** Text of unknown origin as it may be shown at a terminal: what could steer the terminal, or turn the text around, is spelt out. */
export function printable(text: string): string {
  return textParts(text)
    .map((part) => (part.type === 'plain' ? part.text : `\\u{${part.codePoint.toString(16)}}`))
    .join('');
}

/** The same for a page, which can show more than text. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { index, character } of disguises(text)) {
    if (index > end) parts.push({ type: 'plain', text: text.slice(end, index) });
    parts.push({ type: 'disguise', codePoint: character.codePointAt(0) ?? 0 });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ type: 'plain', text: text.slice(end) });
  return parts;
}

function* disguises(text: string): Generator<{ index: number; character: string }> {
  const words = falseWords(text);
  let word: FalseWord | undefined;
  for (const { index, 0: character, groups } of text.matchAll(suspect)) {
    if (groups?.letter === undefined) {
      if (groups?.unseen !== undefined || standsForPlain(character)) yield { index, character };
      continue;
    }
    while (word === undefined || word.end <= index) word = words.next().value ?? noWord;
    if (word.index <= index && (character !== dotless || word.isInName)) yield { index, character };
  }
}

const noWord: FalseWord = { index: Infinity, end: Infinity, isInName: false };

function standsForPlain(character: string): boolean {
  return /^[A-Za-z\d]+$/.test(character.normalize('NFKC'));
}
