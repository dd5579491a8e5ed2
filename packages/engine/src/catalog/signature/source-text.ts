import { printable } from '@executor/protocol';

/*
 * What documents say, as parts of TypeScript. Names and words are not ours: nothing of them may end a comment or a literal, or look like
 * something else than it is.
 */

/** A string as TypeScript writes it: what cannot be seen, or turns text around, is escaped and stays the same string. */
export function stringText(value: string): string {
  return printable(JSON.stringify(value));
}

/** The name of a field, in a type. */
export function keyText(key: string): string {
  return isIdentifier(key) ? key : stringText(key);
}

export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** How much of a text is looked at to find its first line. */
const longestRead = 1_000;

/** The first line of a description, for the end of a line of code; undefined where nothing is left of it. */
export function commentText(text: unknown, longest: number): string | undefined {
  const line = longest < 1 ? undefined : firstLine(text);
  return line === undefined ? undefined : cutLine(line, longest);
}

export function firstLine(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const lines = text.slice(0, longestRead).split(/[\n\r\u2028\u2029]+/);
  const line = lines.map((one) => one.replace(/\s+/g, ' ').trim()).find((one) => one !== '');
  return line === undefined ? undefined : printable(line);
}

/** After its first sentence, or on a word. */
export function cutLine(line: string, longest: number): string {
  const sentence = /^.{15,}?[.!?](?= [A-Z])/.exec(line)?.[0] ?? line;
  const plain = sentence.replace(/\.$/, '');
  if (plain.length <= longest) return plain;
  const end = plain.slice(0, longest).search(/\s\S*$/);
  const kept = plain.slice(0, end > longest / 2 ? end : longest - 1);
  // Half of a pair is no character.
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

/** The types of values, where they are too many to be told. */
export function widened(values: unknown[]): string {
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  return [...types].sort().join(' | ');
}

/** Whether a JSON value can be written in about this many characters, found out without writing it. */
export function isShort(value: unknown, most: number): boolean {
  let left = most;
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
