/** A piece of a text: as it is, or one character that must not be taken for what it looks like. */
export type TextPart = { type: 'plain'; text: string } | { type: 'disguise'; codePoint: number };

/**
 * What steers a terminal, turns text around, cannot be seen, or looks like an ordinary space without being one. A selector of variants
 * belongs to the emoji before it, and hides data anywhere else.
 */
const unseen =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{a0}\u{115f}\u{1160}\u{1680}\u{2000}-\u{200a}\u{202f}\u{205f}\u{2800}\u{3000}\u{3164}\u{ffa0}]|\u{34f}|\u{17b4}|\u{17b5}|[\u{180b}-\u{180f}]|[\u{fe00}-\u{fe0e}]|[\u{e0100}-\u{e01ef}]|(?<![\p{Extended_Pictographic}\d#*])\u{fe0f}/u;

/**
 * Letters of other scripts that look like Latin ones (Cyrillic, Greek, Armenian, Cherokee), in a word that has Latin ones too: nobody writes
 * `paypal` with one of them but to be taken for another. A word that is all of one script is a word of some language.
 */
const lookalike = '[АВЕЅІЈКМНОРСТУХаеорсухѕіјһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχγօոսհցᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏚᎢᏙᏔ]';
const suspect = new RegExp(`${unseen.source}|${lookalike}`, 'gu');

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

/** Each word is looked at once, however many suspects it has: whoever writes texts to be approved chooses how long they are. */
function* disguises(text: string): Generator<{ index: number; character: string }> {
  let word = { end: 0, isMixed: false };
  for (const { index, 0: character } of text.matchAll(suspect)) {
    // Some of what cannot be seen counts as a letter, too.
    const isLookalike = onlyLookalike.test(character);
    if (isLookalike && index >= word.end) word = wordAt(text, index, word.end);
    if (!isLookalike || word.isMixed) yield { index, character };
  }
}

const onlyLookalike = new RegExp(`^${lookalike}$`, 'u');
const letter = /^\p{L}$/u;
const latin = /[A-Za-z]/;

function wordAt(text: string, index: number, from: number): { end: number; isMixed: boolean } {
  let start = index;
  while (start > from && letter.test(text.charAt(start - 1))) start -= 1;
  let end = index + 1;
  while (end < text.length && letter.test(text.charAt(end))) end += 1;
  return { end, isMixed: latin.test(text.slice(start, end)) };
}
