import { type FalseWord, falseWords, lookalike } from './lookalikes.ts';

/** A piece of a text: plain text, or one character that looks like another one or like nothing. */
export type TextPart = { type: 'plain'; text: string } | { type: 'disguise'; codePoint: number };

/**
 * Characters that control a terminal, reverse text, are invisible, or look like an ordinary space. A variation selector belongs to the
 * emoji before it; anywhere else it can hide data.
 */
const unseen =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{a0}\u{115f}\u{1160}\u{1680}\u{2000}-\u{200a}\u{202f}\u{205f}\u{2800}\u{3000}\u{3164}\u{ffa0}]|\u{34f}|\u{17b4}|\u{17b5}|[\u{180b}-\u{180f}]|[\u{fe00}-\u{fe0e}]|[\u{e0100}-\u{e01ef}]|(?<![\p{Extended_Pictographic}\d#*])\u{fe0f}/u;

/** Ranges with other forms of Latin letters and digits: fullwidth, mathematical, Roman numerals, ligatures. */
const dressed =
  /[\u{132}-\u{1f3}\u{2b0}-\u{2e3}\u{1d2c}-\u{1dbb}\u{2071}-\u{217f}\u{2c7c}\u{2c7d}\u{a7f1}-\u{a7f4}\u{fb00}-\u{fb06}\u{ff10}-\u{ff5a}\u{10780}-\u{107ff}\u{1cc00}-\u{1cfff}\u{1d400}-\u{1fbff}]/u;
/** Superscript and subscript digits, and signs, are recognisable. A letter is an emoji if a variation selector follows it. */
const seen = /[\u{2074}-\u{2079}\u{2080}-\u{2089}₨℠№™]|ℹ\u{fe0f}/u;

/** An ordinary letter in Turkish; a disguise in an address. */
const dotless = 'ı';

const suspect = new RegExp(
  `(?<unseen>${unseen.source})|(?<letter>${lookalike}|${dotless})|(?!${seen.source})${dressed.source}`,
  'gu',
);

/** Untrusted text, safe to print at a terminal: each dangerous character is written as its code point. */
export function printable(text: string): string {
  return textParts(text)
    .map((part) => (part.type === 'plain' ? part.text : `\\u{${part.codePoint.toString(16)}}`))
    .join('');
}

/** Untrusted text in parts, for a page that marks the dangerous characters. */
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
