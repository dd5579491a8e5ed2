import { isLargeInteger } from '@executor/engine';

/*
 * Parses JSON from other systems. An integer beyond 2^53 is usually an id, and JavaScript would round it to another id, so it becomes a
 * string of digits.
 */

/** Throws a `SyntaxError` for invalid JSON. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\d{16}/.test(text) ? JSON.parse(withTextForLarge(text)) : value;
}

/** Requires valid JSON. Strings are skipped by hand, because a pattern would store a backtracking step per character. */
function withTextForLarge(json: string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const end = quote < 0 ? json.length : quote;
    parts.push(json.slice(at, end).replace(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, textIfLarge));
    at = quote < 0 ? end : endOfString(json, quote);
    parts.push(json.slice(end, at));
  }
  return parts.join('');
}

function textIfLarge(number: string): string {
  return isLargeInteger(number) ? `"${number}"` : number;
}

function endOfString(json: string, quote: number): number {
  for (let end = json.indexOf('"', quote + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
}
