import type { Field } from './shape.ts';
import { isIdentifier } from './source-text.ts';

/** One member of an object type, and the comment on it. A comment without text gets a line of its own. */
export interface PrintedField {
  text: string;
  comment: string | undefined;
}

const maxColumns = 90;

/** Lays out an object type: on one line if it is short and has no comments, else one field per line. */
export function fieldLayout(fields: PrintedField[], indent: string): string {
  const inline = `{ ${fields.map(({ text }) => text.replace(/;$/, '')).join('; ')} }`;
  const isPlain = fields.every(({ text, comment }) => comment === undefined && !text.includes('\n'));
  if (isPlain && inline.length + indent.length <= maxColumns) return inline;
  const inner = `${indent}  `;
  const lines = fields.map(({ text, comment }) => {
    if (comment === undefined) return `${inner}${text}`;
    if (text === '') return `${inner}// ${comment}`;
    return text.includes('\n') ? `${inner}// ${comment}\n${inner}${text}` : `${inner}${text} // ${comment}`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** The names of fields that are not printed, for a comment. */
export function fieldNames(fields: Pick<Field, 'key'>[]): string {
  const names = fields.map(({ key }) => key).filter((key) => isIdentifier(key) && key.length <= 30);
  const shown = names.slice(0, 12);
  const more = fields.length - shown.length;
  if (shown.length === 0) return `${more} more fields`;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
