/** Text of unknown origin as it may be shown at a terminal: what could steer the terminal, or turn the text around, is spelt out. */
export function printable(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
