/** A piece of a text: as it is, or one character that must not be taken for what it looks like. */
export type TextPart = { type: 'plain'; text: string } | { type: 'disguise'; codePoint: number };

/**
 * What steers a terminal, turns text around, cannot be seen, or looks like an ordinary space without being one. A selector of variants
 * belongs to the emoji before it, and hides data anywhere else.
 */
const disguise =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{a0}\u{115f}\u{1160}\u{1680}\u{2000}-\u{200a}\u{202f}\u{205f}\u{2800}\u{3000}\u{3164}\u{ffa0}]|\u{34f}|\u{17b4}|\u{17b5}|[\u{180b}-\u{180f}]|[\u{fe00}-\u{fe0e}]|[\u{e0100}-\u{e01ef}]|(?<![\p{Extended_Pictographic}\d#*])\u{fe0f}/gu;

/** Text of unknown origin as it may be shown at a terminal: what could steer the terminal, or turn the text around, is spelt out. */
export function printable(text: string): string {
  return text.replace(disguise, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The same for a page, which can show more than text. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(disguise)) {
    if (match.index > end) parts.push({ type: 'plain', text: text.slice(end, match.index) });
    parts.push({ type: 'disguise', codePoint: match[0].codePointAt(0) ?? 0 });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ type: 'plain', text: text.slice(end) });
  return parts;
}
