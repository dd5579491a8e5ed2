import type { PartPlan } from '../operation.ts';
import { firstType, isJson } from './content-parameter.ts';
import { escapeName, escapeValue } from './escape.ts';
import { jsonText } from './integer-text.ts';
import { writeQueryParameter } from './query-parameter.ts';
import { textOf } from './shape.ts';

/** `application/x-www-form-urlencoded`. An object without a style is written as JSON, as the specification requires. */
export function writeForm(value: unknown, parts: Record<string, PartPlan>): string {
  if (typeof value !== 'object' || value === null) return textOf(value);
  return Object.entries(value)
    .flatMap(([name, part]) => writePart(name, part, Object.hasOwn(parts, name) ? parts[name] : undefined))
    .join('&');
}

function writePart(name: string, value: unknown, plan: PartPlan = {}): string[] {
  const { style, explode = true, allowReserved, contentType } = plan;
  if (value === null || value === undefined) return [];
  if (style !== undefined || explode === false)
    return writeQueryParameter(
      { name, style: style ?? 'form', explode, ...(allowReserved && { allowReserved }) },
      value,
    );
  const pair = (text: string) => `${escapeName(name)}=${escapeValue(text)}`;
  if (isJson(firstType(contentType) ?? '')) return [pair(jsonText(value))];
  return (Array.isArray(value) ? value : [value]).map((item) => pair(textOf(item)));
}
