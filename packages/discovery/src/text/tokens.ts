/*
 * Text is cut into tokens: runs of letters and digits. A token of Latin letters may be several words (`listForRepo`).
 * Chinese, Japanese and Korean tokens are read in pairs of characters, because such text has no spaces.
 */

/** Calls `visit` with every token. */
export function eachToken(text: string, visit: (token: string, start: number) => void): void {
  const end = text.length;
  let start = -1;
  let kind = other;
  for (let position = 0; position <= end; position++) {
    const now = position < end ? kindOf(text.charCodeAt(position)) : other;
    if (now === kind) continue;
    if (kind !== other) visit(text.slice(start, position), start);
    start = position;
    kind = now;
  }
}

const other = 0;
const latin = 1;
const han = 2;

/** The kinds of the first 128 codes. */
const isLatin = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? latin : other,
);

function kindOf(code: number): number {
  if (code < 128) return isLatin[code] as number;
  if (isHan(code)) return han;
  // Quotation marks, dashes, arrows, symbols, private use, surrogates (emoji) and marks of width separate tokens.
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return other;
  if ((code >= 0x2000 && code < 0x2c00) || (code >= 0x3000 && code < 0x3040)) return other;
  return code >= 0xd800 ? other : latin;
}

function isHan(code: number): boolean {
  return (
    (code >= 0x3040 && code < 0x3100) ||
    (code >= 0x3400 && code < 0xa000) ||
    (code >= 0xac00 && code < 0xd7b0) ||
    (code >= 0xf900 && code < 0xfb00)
  );
}

export function isHanToken(token: string): boolean {
  return isHan(token.charCodeAt(0));
}
