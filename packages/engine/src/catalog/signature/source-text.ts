import { printable } from '@executor/protocol';

/*
 * Texts of documents as parts of TypeScript. Documents are untrusted: no name or text may end a comment or a literal,
 * or be displayed misleadingly.
 */

/**
 * A string literal. Invisible characters and characters that change the direction of text are escaped; the value is the
 * same.
 */
export function stringText(value: string): string {
  return printable(JSON.stringify(value));
}

/** The name of a field in a type. */
export function keyText(key: string): string {
  return isIdentifier(key) ? key : stringText(key);
}

export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** Characters of a text that are searched for its first line. */
const maxReadChars = 1_000;

/** The first line of a description, for a comment at the end of a line of code; undefined if it is empty. */
export function commentText(text: unknown, maxChars: number): string | undefined {
  const line = maxChars < 1 ? undefined : firstLine(text);
  return line === undefined ? undefined : cutLine(line, maxChars);
}

export function firstLine(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const lines = text.slice(0, maxReadChars).split(/[\n\r\u2028\u2029]+/);
  const line = lines.map((one) => one.replace(/\s+/g, ' ').trim()).find((one) => one !== '');
  return line === undefined ? undefined : printable(line);
}

/** Cuts a line after its first sentence, or at the end of a word. */
export function cutLine(line: string, maxChars: number): string {
  const sentence = /^.{15,}?[.!?](?= [A-Z])/.exec(line)?.[0] ?? line;
  const plain = sentence.replace(/\.$/, '');
  if (plain.length <= maxChars) return plain;
  const end = plain.slice(0, maxChars).search(/\s\S*$/);
  const kept = plain.slice(0, end > maxChars / 2 ? end : maxChars - 1);
  // The first half of a surrogate pair is not a character.
  return `${kept.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

const maxLiteralDepth = 6;

/** A JSON value as the type of exactly that value. */
export function literalText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return stringText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (depth >= maxLiteralDepth) return Array.isArray(value) ? 'unknown[]' : 'object';
  if (Array.isArray(value)) return `[${value.map((one) => literalText(one, depth + 1)).join(', ')}]`;
  const fields = Object.keys(value).map(
    (key) => `${keyText(key)}: ${literalText((value as Record<string, unknown>)[key], depth + 1)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

/** The types of the values, for values that are too many or too long to print. */
export function widened(values: unknown[]): string {
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  return [...types].sort().join(' | ');
}

/** Whether a JSON value can be written in about this many characters, estimated without writing it. */
export function isShort(value: unknown, maxChars: number): boolean {
  let left = maxChars;
  const open: unknown[] = [value];
  for (let one = open.pop(); left >= 0 && one !== undefined; one = open.pop()) {
    left -= typeof one === 'string' ? one.length : 4;
    if (typeof one !== 'object' || one === null) continue;
    for (const key in one) {
      left -= key.length;
      if (left < 0) break;
      open.push((one as Record<string, unknown>)[key]);
    }
  }
  return left >= 0;
}
