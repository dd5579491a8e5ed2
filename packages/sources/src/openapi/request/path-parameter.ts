import { RequestError } from '../../call/request-error.ts';
import type { ParameterPlan, ParameterStyle } from '../operation.ts';
import { contentText } from './content-parameter.ts';
import { escapeValue } from './escape.ts';
import { delimiterOf } from './query-parameter.ts';
import { type Shape, shapeOf } from './shape.ts';

/** The separators of each style: prefix, separator, and whether names precede values. */
const styles = {
  simple: { first: '', exploded: ',', named: false },
  label: { first: '.', exploded: '.', named: false },
  matrix: { first: ';', exploded: ';', named: true },
} as const;

/** The text of a parameter in the path. */
export function writePathParameter(parameter: ParameterPlan, value: unknown): string {
  const shape: Shape = parameter.content
    ? { type: 'primitive', text: contentText(parameter.content, value) }
    : shapeOf(value);
  const text =
    shape.type === 'none'
      ? ''
      : parameter.segments && shape.type === 'primitive'
        ? writeSegments(parameter, shape.text)
        : writeShape(parameter, shape);
  if (text === '') throw new RequestError(`${parameter.field} is part of the path and must not be empty.`);
  return text;
}

/** Everything but the slashes is encoded, as Google's clients do. The URL of a call shows each segment that it has. */
function writeSegments({ field }: ParameterPlan, text: string): string {
  const segments = text.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment)))
    throw new RequestError(
      `${field} is part of the path, so none of its parts between slashes can be empty, "." or "..".`,
    );
  return segments.map(escapeValue).join('/');
}

/** Swagger allows list separators other than commas in paths. */
function escapeDelimiter(style: ParameterStyle): string {
  const delimiter = delimiterOf[style];
  return delimiter === undefined ? ',' : escapeValue(delimiter);
}

function writeShape(
  { name, style, explode }: ParameterPlan,
  shape: Exclude<Shape, { type: 'none' }>,
): string {
  const { first, exploded, named } = style === 'label' || style === 'matrix' ? styles[style] : styles.simple;
  const label = named ? `${escapeValue(name)}=` : '';
  switch (shape.type) {
    case 'primitive':
      return `${first}${shape.text === '' && named ? escapeValue(name) : label + escapeValue(shape.text)}`;
    case 'array': {
      const items = shape.items.map(escapeValue);
      return explode
        ? `${first}${items.map((item) => label + item).join(exploded)}`
        : `${first}${label}${items.join(escapeDelimiter(style))}`;
    }
    case 'object': {
      const entries = shape.entries.map((entry) => entry.map(escapeValue));
      return explode
        ? `${first}${entries.map((entry) => entry.join('=')).join(exploded)}`
        : `${first}${label}${entries.flat().join(',')}`;
    }
  }
}
