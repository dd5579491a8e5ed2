/** Deeper than any real document, and shallow enough for recursive functions. */
export const maxDepth = 500;

const quote = 34;
const backslash = 92;

/** Whether JSON is nested too deeply. Runs before parsing: it skips strings and counts brackets. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    // [ and { differ in one bit from each other, as ] and } do.
    else if ((code & 0xdf) === 0x5b) {
      if (++depth > maxDepth) return true;
    } else if ((code & 0xdf) === 0x5d) depth -= 1;
  }
  return false;
}

function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text.charCodeAt(at - 1 - count) === backslash) count += 1;
  return count % 2 === 1;
}
