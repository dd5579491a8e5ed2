import type { ParameterPlan, ParameterStyle } from '../operation.ts';
import { contentText } from './content-parameter.ts';
import { writeDeepObject } from './deep-object.ts';
import { escapeName, escapeReserved, escapeValue } from './escape.ts';
import { shapeOf, textOf } from './shape.ts';

/** Separators of lists that are joined to one text; the default is a comma. */
export const delimiterOf: Partial<Record<ParameterStyle, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};

/** The parameter settings that decide how a value is written in a query, form or cookie. */
export type FormParameter = Pick<ParameterPlan, 'name' | 'style' | 'explode' | 'allowReserved' | 'content'>;

/** The pairs of a parameter, `name=value` each, encoded. */
export function writeQueryParameter(parameter: FormParameter, value: unknown): string[] {
  const { name, style, explode, allowReserved, content } = parameter;
  const encode = allowReserved ? escapeReserved : escapeValue;
  if (value === undefined) return [];
  if (content) return [`${escapeName(name)}=${encode(contentText(content, value))}`];
  if (style === 'deepObject') return writeDeepObject(name, value, encode);
  const pair = (key: string, text: string) => `${escapeName(key)}=${text}`;
  const delimiter = style in delimiterOf ? escapeValue(delimiterOf[style] ?? '') : ',';
  const shape = shapeOf(value);
  switch (shape.type) {
    case 'none':
      return [];
    case 'primitive':
      return [pair(name, encode(shape.text))];
    case 'array':
      return explode
        ? shape.items.map((item) => pair(name, encode(item)))
        : [pair(name, shape.items.map(encode).join(delimiter))];
    case 'object':
      return explode
        ? Object.entries(value as object).flatMap(([key, entry]) =>
            listed(entry).map((text) => pair(key, encode(text))),
          )
        : [pair(name, shape.entries.flat().map(encode).join(delimiter))];
  }
}

/** A list within an object, as in Spring's `Pageable`, is written like a list parameter. */
function listed(entry: unknown): string[] {
  return (Array.isArray(entry) ? entry : [entry])
    .filter((item) => item !== null && item !== undefined)
    .map(textOf);
}
