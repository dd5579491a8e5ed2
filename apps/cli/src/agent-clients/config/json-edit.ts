import type { Node } from 'jsonc-parser';

/** The indentation and line endings of a file. */
export interface Layout {
  unit: string;
  eol: string;
}

export function layoutOf(text: string): Layout {
  const [, unit = '  '] = /^([ \t]+)[^\s*]/m.exec(text) ?? [];
  return { unit: unit.startsWith('\t') ? '\t' : unit, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

interface NewProperty {
  into: Node;
  key: string;
  value: unknown;
}

/** Adds a property after the last one, so that a comment behind the last one keeps its position. */
export function insertProperty(text: string, { into, key, value }: NewProperty, layout: Layout): string {
  const close = into.offset + into.length - 1;
  const last = into.children?.at(-1);
  if (last === undefined) return fillObject(text, { into, key, value }, layout);
  const from = last.offset + last.length;
  const { comma, end } = trailOf(text, from, close);
  const isOneLine = !text.slice(into.offset, close).includes('\n');
  const indent = indentOf(text, into, indentAt(text, into.offset) + layout.unit);
  const property = isOneLine
    ? `${JSON.stringify(key)}:${JSON.stringify(value)}`
    : `${layout.eol}${indent}${JSON.stringify(key)}: ${formatted(value, indent, layout)}`;
  return splice(text, [
    ...(comma === undefined ? [{ at: from, put: ',' }] : []),
    { at: end, put: `${property}${comma === undefined ? '' : ','}` },
  ]);
}

/** Adds the first property of an object, after the comments in it. */
function fillObject(text: string, { into, key, value }: NewProperty, layout: Layout): string {
  const close = into.offset + into.length - 1;
  const outer = indentAt(text, into.offset);
  const inner = outer + layout.unit;
  const property = `${inner}${JSON.stringify(key)}: ${formatted(value, inner, layout)}`;
  const at = text.slice(0, close).trimEnd().length;
  return splice(text, [{ at, until: close, put: `${layout.eol}${property}${layout.eol}${outer}` }]);
}

export function replaceValue(text: string, property: Node, value: unknown, layout: Layout): string {
  const [, old] = property.children as [Node, Node];
  const isOneLine = !startsItsLine(text, property);
  const put = isOneLine ? JSON.stringify(value) : formatted(value, indentAt(text, property.offset), layout);
  return splice(text, [{ at: old.offset, until: old.offset + old.length, put }]);
}

interface PropertyText {
  text: string;
  property: Node;
}

/** Replaces the value of a property by that of another text, with its formatting. */
export function copyValue({ text, property }: PropertyText, from: PropertyText): string {
  const [, old] = property.children as [Node, Node];
  const [, { offset, length }] = from.property.children as [Node, Node];
  const put = from.text.slice(offset, offset + length);
  return splice(text, [{ at: old.offset, until: old.offset + old.length, put }]);
}

/** Removes a property with its comma and its line only. It reverts `insertProperty` exactly. */
export function removeProperty(text: string, property: Node): string {
  const object = property.parent as Node;
  const siblings = object.children as Node[];
  const before = siblings[siblings.indexOf(property) - 1];
  const close = object.offset + object.length - 1;
  const own = trailOf(text, property.offset + property.length, close);
  const until = own.comma === undefined ? property.offset + property.length : own.comma + 1;
  const ahead = text.slice(0, property.offset).trimEnd().length;
  if (siblings.length === 1 && text[ahead - 1] === '{' && text.slice(until, close).trim() === '')
    return splice(text, [{ at: ahead, until: close, put: '' }]);
  // If text follows on the same line, it must not be moved behind a comment.
  const endsItsLine = /^[ \t]*(\r?\n|$)/.test(text.slice(until));
  const removed = { at: endsItsLine ? ahead : property.offset, until, put: '' };
  const commaBefore =
    own.comma === undefined && before
      ? trailOf(text, before.offset + before.length, property.offset).comma
      : undefined;
  return splice(text, [
    ...(commaBefore === undefined ? [] : [{ at: commaBefore, until: commaBefore + 1, put: '' }]),
    removed,
  ]);
}

/** The comma after a value, and the end of the comments on its line. */
function trailOf(text: string, from: number, close: number): { comma: number | undefined; end: number } {
  const piece = /[ \t]+|,|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;
  piece.lastIndex = from;
  let comma: number | undefined;
  let end = from;
  for (let found = piece.exec(text); found && found.index < close; found = piece.exec(text)) {
    if (found[0] === ',' && comma !== undefined) break;
    if (found[0] === ',') comma = found.index;
    if (found[0].trim() !== '') end = piece.lastIndex;
  }
  return { comma, end };
}

function formatted(value: unknown, indent: string, { unit, eol }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

/** The indent of an object's first property. */
function indentOf(text: string, object: Node, otherwise: string): string {
  const first = object.children?.[0];
  return first && startsItsLine(text, first) ? indentAt(text, first.offset) : otherwise;
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function startsItsLine(text: string, { offset }: Node): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

/** Applies edits, which must be sorted by position. */
function splice(text: string, edits: { at: number; until?: number; put: string }[]): string {
  return edits.reduceRight(
    (result, { at, until = at, put }) => result.slice(0, at) + put + result.slice(until),
    text,
  );
}
