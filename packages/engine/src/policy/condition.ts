import type { PolicyCondition, PolicyDecision } from '@executor/protocol';
import { jsonEqual } from '../validation/json-equal.ts';
import { isLargeInteger } from '../validation/large-integer.ts';

/**
 * Whether a condition of a rule holds for an input.
 *
 * A dot in a field may lead into an object or be part of a key, and an input may have both. Whoever writes the input could add the one to
 * cover up the other, so a rule that allows wants all of them to fit, and one that restricts is content with any.
 *
 * Integers beyond 2^53 can be written as numbers, which are rounded, or as the text of their digits. To a rule that restricts it is all
 * the same how they are written; one that allows takes nothing for what it may not be.
 */
export function conditionHolds(
  condition: PolicyCondition,
  input: unknown,
  decision: PolicyDecision,
): boolean {
  const values = fieldValues(input, condition.field);
  if (decision === 'allow')
    return values.length > 0 && values.every((value) => valueFits(condition, value, jsonEqual));
  return values.some((value) => valueFits(condition, value, equalWhenRounded));
}

/** Why a condition does not hold; undefined where it does. */
export function conditionFailure(
  condition: PolicyCondition,
  input: unknown,
  decision: PolicyDecision,
): string | undefined {
  if (conditionHolds(condition, input, decision)) return undefined;
  if (fieldValues(input, condition.field).length === 0) return `the input has no ${condition.field}`;
  return `${condition.field} ${expectation(condition)}`;
}

type Equality = (one: unknown, other: unknown) => boolean;

function valueFits(condition: PolicyCondition, value: unknown, equal: Equality): boolean {
  if ('equals' in condition) return equal(value, condition.equals);
  if ('oneOf' in condition) return condition.oneOf.some((one) => equal(value, one));
  return typeof value === 'string' && value.startsWith(condition.prefix);
}

/** Whether a value is what a rule names, where an integer that a number would round may be written either way. */
function equalWhenRounded(value: unknown, named: unknown): boolean {
  if (typeof named === 'string' && typeof value === 'number')
    return isLargeInteger(named) && Number(named) === value;
  if (typeof named === 'number' && typeof value === 'string')
    return isLargeInteger(value) && Number(value) === named;
  if (!isObject(named) || !isObject(value) || Array.isArray(named) !== Array.isArray(value))
    return jsonEqual(value, named);
  const keys = Object.keys(named);
  return (
    keys.length === Object.keys(value).length &&
    keys.every((key) => Object.hasOwn(value, key) && equalWhenRounded(value[key], named[key]))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function expectation(condition: PolicyCondition): string {
  if ('equals' in condition) return `is not ${excerpt(condition.equals)}`;
  if ('oneOf' in condition) return `is not one of ${excerpt(condition.oneOf)}`;
  return `does not begin with ${excerpt(condition.prefix)}`;
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** What a field can mean in an input: `a.b` is the key `a.b`, and the key `b` of the object at `a`. Never what is inherited. */
function fieldValues(input: unknown, field: string): unknown[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const object = input as Record<string, unknown>;
  const found: unknown[] = Object.hasOwn(object, field) ? [object[field]] : [];
  for (let dot = field.indexOf('.'); dot !== -1; dot = field.indexOf('.', dot + 1)) {
    const key = field.slice(0, dot);
    if (Object.hasOwn(object, key)) found.push(...fieldValues(object[key], field.slice(dot + 1)));
  }
  return found;
}
