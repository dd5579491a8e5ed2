import { jsonText } from './integer-text.ts';

/** A value as OpenAPI's styles see it. Deeper values have no style and are written as JSON. */
export type Shape =
  | { type: 'none' }
  | { type: 'primitive'; text: string }
  | { type: 'array'; items: string[] }
  | { type: 'object'; entries: [name: string, text: string][] };

/** As in RFC 6570, null values are omitted, and an empty list or object is omitted. */
export function shapeOf(value: unknown): Shape {
  if (value === undefined || value === null) return { type: 'none' };
  if (Array.isArray(value)) {
    const items = value.filter(isPresent).map(textOf);
    return items.length === 0 ? { type: 'none' } : { type: 'array', items };
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, entry]) => isPresent(entry))
      .map(([name, entry]): [string, string] => [name, textOf(entry)]);
    return entries.length === 0 ? { type: 'none' } : { type: 'object', entries };
  }
  return { type: 'primitive', text: textOf(value) };
}

export function textOf(value: unknown): string {
  return typeof value === 'object' ? jsonText(value) : String(value);
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}
