import { nearest } from '@executor/protocol';
import { jsonEqual } from '../json-equal.ts';
import { isLargeInteger } from '../large-integer.ts';
import { excerpt } from '../location.ts';
import { type Keyword, problem, type Step } from '../schema-check.ts';
import { isObject, type SchemaObject } from '../schema-document.ts';

export const valueKeywords: Record<string, Keyword> = {
  type(step) {
    const { argument, value, schema, check } = step;
    const types = (Array.isArray(argument) ? argument : [argument]).filter(
      (type) => typeof type === 'string',
    );
    const known = types.filter((type) => Object.hasOwn(typeNames, type));
    if (known.length < types.length || types.length === 0) {
      check.note(`The type ${excerpt(argument)} is not one of JSON Schema's, so it was not checked.`);
      return;
    }
    const large = largeInteger(step, known);
    if (large !== undefined) return large === 'taken' ? undefined : problem(step, large, 'value');
    if (known.some((type) => isOfType(value, type)) || (value === null && schema.nullable === true)) return;
    const text = typeProblem(known, value);
    return [{ location: step.position.location, kind: 'type', text, types: known }];
  },

  enum(step) {
    const { argument, value } = step;
    if (!Array.isArray(argument) || argument.some((one) => same(step, one))) return;
    const texts = argument.filter((one) => typeof one === 'string');
    const hint = typeof value === 'string' ? nearest(value, texts, step.check.hints) : undefined;
    const shown = argument.slice(0, 10).map((one) => excerpt(one));
    const more = argument.length > shown.length ? ` and ${argument.length - shown.length} more` : '';
    const meant = hint === undefined ? '' : `; did you mean ${excerpt(hint)}?`;
    const text = `must be one of ${shown.join(', ')}${more}, but is ${describe(value)}${meant}`;
    return problem(step, text, 'value');
  },

  const(step) {
    if (same(step, step.argument)) return;
    return problem(step, `must be ${excerpt(step.argument)}, but is ${describe(step.value)}`, 'value');
  },
};

/**
 * If the schema of a tool says `largeIntegers: 'text'`, integers that JavaScript would round are written as text. Such an integer as a number
 * is rejected: it was rounded already and would identify something else.
 */
function largeInteger({ value, schema, check }: Step, types: string[]): 'taken' | string | undefined {
  const { root } = check.document;
  if (!isObject(root) || root.largeIntegers !== 'text') return undefined;
  const isNumber = types.includes('integer') || types.includes('number');
  if (typeof value === 'string')
    return isNumber && !types.includes('string') && isLargeInteger(value) && isWithin(schema, Number(value))
      ? 'taken'
      : undefined;
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && !types.includes('number');
  return isRounded && types.includes('integer') && isWithin(schema, Number(value))
    ? `must be exact, but ${value} is beyond 2^53, where numbers are rounded; give the text of its digits instead`
    : undefined;
}

function isWithin(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaObject,
  value: number,
): boolean {
  const [least, most] = [
    [minimum, exclusiveMinimum],
    [maximum, exclusiveMaximum],
  ].map((bounds) => bounds.filter((bound) => typeof bound === 'number'));
  return !least?.some((bound) => value < bound) && !most?.some((bound) => value > bound);
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

/** Says what was expected and what was received. */
export function typeProblem(types: string[], value: unknown): string {
  const names = [...new Set(types)].map((type) => typeNames[type] ?? type);
  const [last, ...others] = names.toReversed();
  const expected = others.length > 0 ? `${others.toReversed().join(', ')} or ${last}` : last;
  const received = typeof value === 'string' ? `the string ${excerpt(value)}` : describe(value);
  return `must be ${expected}, but is ${received}`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : excerpt(value);
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function same({ value, check }: Step, other: unknown): boolean {
  return jsonEqual(value, other, () => check.budget.spend(1));
}
