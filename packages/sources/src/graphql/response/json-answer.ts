const [quote, backslash, openObject, closeObject, openList, closeList, comma] = [
  34, 92, 123, 125, 91, 93, 44,
];

export interface JsonAnswer {
  /** The members of the answer. */
  members: Map<string, string>;
  /** The members of `data`; undefined if it is not an object. */
  data: Map<string, string> | undefined;
}

/**
 * The members of a GraphQL response in JSON that has no white space, as `JsonReader` writes it. The values are not parsed, and each is
 * read once: an answer may be large, and code gets it as text. If a key occurs twice, the last one counts. Undefined if the text is not an
 * object.
 */
export function jsonAnswer(text: string): JsonAnswer | undefined {
  if (text.charCodeAt(0) !== openObject) return undefined;
  let data: Map<string, string> | undefined;
  const { members } = readObject(text, 0, (key, start) => {
    if (key !== 'data') return valueEnd(text, start);
    data = undefined;
    if (text.charCodeAt(start) !== openObject) return valueEnd(text, start);
    const inner = readObject(text, start, (_, at) => valueEnd(text, at));
    data = inner.members;
    return inner.end;
  });
  return { members, data };
}

/** Reads the object at a position. `endOf` finds the end of a value. */
function readObject(
  text: string,
  open: number,
  endOf: (key: string, start: number) => number,
): { members: Map<string, string>; end: number } {
  const members = new Map<string, string>();
  let at = open + 1;
  while (text.charCodeAt(at) === quote) {
    const keyEnd = stringEnd(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const end = endOf(key, keyEnd + 1);
    // A slice shares the memory of the text.
    members.set(key, text.slice(keyEnd + 1, end));
    at = text.charCodeAt(end) === comma ? end + 1 : end;
  }
  return { members, end: at + 1 };
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
