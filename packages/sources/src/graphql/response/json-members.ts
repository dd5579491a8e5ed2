const [quote, backslash, openObject, closeObject, openList, closeList, comma] = [
  34, 92, 123, 125, 91, 93, 44,
];

/**
 * The members of an object in JSON that has no white space, as `JsonReader` writes it. The values are not parsed: an answer may be large,
 * and code gets it as text. If a key occurs twice, the last one counts. Undefined if the text is not an object.
 */
export function jsonMembers(text: string): Map<string, string> | undefined {
  if (text.charCodeAt(0) !== openObject) return undefined;
  const members = new Map<string, string>();
  for (let at = 1; at < text.length - 1; ) {
    const keyEnd = stringEnd(text, at);
    const start = keyEnd + 1;
    const end = valueEnd(text, start);
    members.set(JSON.parse(text.slice(at, keyEnd)) as string, text.slice(start, end));
    at = end + 1;
  }
  return members;
}

/** The position of the comma or bracket that ends the value. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at) - 1;
    else if (code === openObject || code === openList) depth += 1;
    else if (code === closeObject || code === closeList) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (code === comma && depth === 0) return at;
  }
  return text.length;
}

/** The position after the closing quote. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}
