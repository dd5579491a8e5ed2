import type { PolicyCondition, PolicyDecision } from '@executor/protocol';
import { jsonEqual } from '../validation/json-equal.ts';
import { isLargeInteger } from '../validation/large-integer.ts';
import { fieldValues, missing, respelledValues } from './field-values.ts';
import { JudgedInput, sentInput } from './judged-input.ts';

/** Stands for an input that is not known yet, as when a tool is listed. No condition holds for it. */
export const unknownInput = Symbol('unknown input');

/**
 * Whether a condition of a rule holds for an input. Nothing is converted: `"5"` is never compared as a number.
 *
 * Agents write inputs, so each doubt is decided against the caller:
 *
 * - A comparison, `notEquals` or `contains` on a missing field, or on a value of another type, fails in an `allow` rule and holds in an
 *   `ask` or `deny` rule.
 * - A dot in a field may lead into an object or be part of a key, and an input may have both. An `allow` rule needs all of these values
 *   to match, an `ask` or `deny` rule any of them. An object on the path that lacks the field counts as one more value: a missing one.
 * - The other system may ignore the case of names. An `allow` rule needs the values of all keys that differ only in case to match, an `ask`
 *   or `deny` rule any of them.
 * - A field may have a documented default that Executor cannot send for sure. An `allow` rule needs the input with and without it to match,
 *   an `ask` or `deny` rule either.
 * - Integers beyond 2^53 can be written as numbers, which are rounded, or as the text of their digits. An `ask` or `deny` rule treats both
 *   as the same integer, an `allow` rule does not.
 */
export function conditionHolds(
  condition: PolicyCondition,
  input: unknown,
  decision: PolicyDecision,
): boolean {
  if (input === unknownInput) return false;
  // Most alternatives share the value.
  const values = new Set([
    ...inputsFor(condition, input).flatMap((one) => fieldValues(one, condition.field)),
    ...respelledValues(sentInput(input), condition.field),
  ]);
  const rule = decision === 'allow' ? allowing : restricting;
  const results = [...values].map((value) => valueMatches(condition, value, rule));
  return decision === 'allow' ? results.every(Boolean) : results.some(Boolean);
}

/** Why a condition does not hold; undefined if it does. */
export function conditionFailure(
  condition: PolicyCondition,
  input: unknown,
  decision: PolicyDecision,
): string | undefined {
  if (conditionHolds(condition, input, decision)) return undefined;
  const { field } = condition;
  if (input === unknownInput) return `it depends on ${field}`;
  if ('exists' in condition && !condition.exists) return `the input has ${field}`;
  if (inputsFor(condition, input).every((one) => fieldValues(one, field).includes(missing)))
    return `the input has no ${field}`;
  return `${field} ${expectation(condition)}`;
}

/** All inputs that a condition is about. Whether a field exists also depends on the input before its default was filled in. */
function inputsFor(condition: PolicyCondition, input: unknown): unknown[] {
  if (!(input instanceof JudgedInput)) return [input];
  const { sent, alternatives, original } = input;
  return [sent, ...('exists' in condition ? [original] : alternatives)];
}

type ValueCondition = Exclude<PolicyCondition, { exists: boolean }>;
type Equality = (one: unknown, other: unknown) => boolean;

/** How a kind of rule reads a condition: what counts as equal, what as different, and which way a doubt goes. */
interface Reading {
  equal: Equality;
  different: Equality;
  inDoubt: boolean;
}

const allowing: Reading = {
  equal: jsonEqual,
  different: (one, other) => !equalWhenRounded(one, other),
  inDoubt: false,
};
const restricting: Reading = {
  equal: equalWhenRounded,
  different: (one, other) => !jsonEqual(one, other),
  inDoubt: true,
};

function valueMatches(condition: PolicyCondition, value: unknown, rule: Reading): boolean {
  if ('exists' in condition) return (value !== missing) === condition.exists;
  if (value === missing) return rule.inDoubt && !needsValue(condition);
  return matches(condition, value, rule) ?? rule.inDoubt;
}

/** Undefined if the value has another type than the condition is about. */
function matches(condition: ValueCondition, value: unknown, { equal, different }: Reading) {
  if ('equals' in condition) return equal(value, condition.equals);
  if ('oneOf' in condition) return condition.oneOf.some((one) => equal(value, one));
  if ('prefix' in condition) return typeof value === 'string' && value.startsWith(condition.prefix);
  if ('notEquals' in condition)
    return typeName(value) === typeName(condition.notEquals)
      ? different(value, condition.notEquals)
      : undefined;
  if ('contains' in condition) return containsValue(value, condition.contains, equal);
  return typeof value === 'number' && !Number.isNaN(value) ? compare(condition, value) : undefined;
}

/** `equals`, `oneOf` and `prefix` name what the field must be, so they never hold without it, whatever the rule decides. */
function needsValue(condition: ValueCondition): boolean {
  return 'equals' in condition || 'oneOf' in condition || 'prefix' in condition;
}

function containsValue(value: unknown, part: unknown, equal: Equality): boolean | undefined {
  if (Array.isArray(value)) return value.some((item) => equal(item, part));
  return typeof value === 'string' && typeof part === 'string' ? value.includes(part) : undefined;
}

type NumberCondition = Extract<
  PolicyCondition,
  | { lessThan: number }
  | { lessThanOrEqual: number }
  | { greaterThan: number }
  | { greaterThanOrEqual: number }
>;

function compare(condition: NumberCondition, value: number): boolean {
  if ('lessThan' in condition) return value < condition.lessThan;
  if ('lessThanOrEqual' in condition) return value <= condition.lessThanOrEqual;
  if ('greaterThan' in condition) return value > condition.greaterThan;
  return value >= condition.greaterThanOrEqual;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Equal, or the same integer beyond 2^53, which one of them may write as text and the other as a rounded number. */
function equalWhenRounded(one: unknown, other: unknown): boolean {
  if (typeof other === 'string' && typeof one === 'number')
    return isLargeInteger(other) && Number(other) === one;
  if (typeof other === 'number' && typeof one === 'string')
    return isLargeInteger(one) && Number(one) === other;
  if (!isObject(other) || !isObject(one) || Array.isArray(other) !== Array.isArray(one))
    return jsonEqual(one, other);
  const keys = Object.keys(other);
  return (
    keys.length === Object.keys(one).length &&
    keys.every((key) => Object.hasOwn(one, key) && equalWhenRounded(one[key], other[key]))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function expectation(condition: PolicyCondition): string {
  if ('equals' in condition) return `is not ${excerpt(condition.equals)}`;
  if ('oneOf' in condition) return `is not one of ${excerpt(condition.oneOf)}`;
  if ('prefix' in condition) return `does not begin with ${excerpt(condition.prefix)}`;
  if ('notEquals' in condition)
    return `is ${excerpt(condition.notEquals)}, or not a ${typeName(condition.notEquals)}`;
  if ('contains' in condition) return `does not contain ${excerpt(condition.contains)}`;
  if ('lessThan' in condition) return `is not a number below ${condition.lessThan}`;
  if ('lessThanOrEqual' in condition) return `is not a number of at most ${condition.lessThanOrEqual}`;
  if ('greaterThan' in condition) return `is not a number above ${condition.greaterThan}`;
  if ('greaterThanOrEqual' in condition) return `is not a number of at least ${condition.greaterThanOrEqual}`;
  return 'is missing';
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
