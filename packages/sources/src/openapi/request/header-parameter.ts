import { RequestError } from '../../call/request-error.ts';
import type { ParameterPlan } from '../operation.ts';
import { contentText } from './content-parameter.ts';
import { delimiterOf, writeQueryParameter } from './query-parameter.ts';
import { shapeOf } from './shape.ts';

/** Headers that the HTTP connection owns. */
const connectionHeaders =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i;

/** The value of a header; undefined if it is not sent. */
export function writeHeaderParameter(parameter: ParameterPlan, value: unknown): string | undefined {
  if (value === undefined || connectionHeaders.test(parameter.name)) return undefined;
  const text = parameter.content ? contentText(parameter.content, value) : styledText(value, parameter);
  return text === undefined ? undefined : checkHeader(parameter.name, text.trim());
}

/** The cookies of a parameter, `name=value` each. */
export function writeCookieParameter(parameter: ParameterPlan, value: unknown): string[] {
  return writeQueryParameter(parameter, value);
}

/** Rejects line breaks: they would start another header. */
export function checkHeader(name: string, value: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw new RequestError(`${JSON.stringify(name)} is not a valid header name.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
    throw new RequestError(`The header ${name} must be one line without control characters.`);
  return value;
}

function styledText(value: unknown, { style, explode }: ParameterPlan): string | undefined {
  const shape = shapeOf(value);
  switch (shape.type) {
    case 'none':
      return undefined;
    case 'primitive':
      return shape.text;
    case 'array':
      return shape.items.join(delimiterOf[style] ?? ',');
    case 'object':
      return explode
        ? shape.entries.map((entry) => entry.join('=')).join(',')
        : shape.entries.flat().join(',');
  }
}
