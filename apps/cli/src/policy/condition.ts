import { ExecutorError, type PolicyCondition } from '@executor/protocol';

/*
 * Conditions as users type them:
 *
 *   repo=executor            equals; JSON values are read as JSON: draft=true, title="a, b"
 *   repo=executor,website    one of these
 *   state!=closed            not equal
 *   title^=Draft             a text that begins with this
 *   labels*=bug              a text that contains this, or a list with this item
 *   amount<=100              a number; also <, > and >=
 *   amount exists            the input has the field; or: amount missing
 *
 * A field name that contains an operator is written as a JSON string: "a=b"=c.
 */

export const conditionSyntax =
  'field=value, field=one,other, field!=value, field^=prefix, field*=part, field<number (also <=, >, >=), "field exists" or "field missing"';

export function parseCondition(text: string): PolicyCondition {
  const { field, operator, value } = splitCondition(text);
  switch (operator) {
    case 'exists':
    case 'missing':
      return { field, exists: operator === 'exists' };
    case '^=':
      return { field, prefix: prefixOf(value) };
    case '*=':
      return { field, contains: jsonOrText(value) };
    case '!=':
      return { field, notEquals: singleValue(value, text) };
    case '=':
      return { field, ...alternatives(value) };
    default:
      return comparison(field, operator, limitOf(value, text));
  }
}

/** A condition as a user would type it. */
export function conditionText(condition: PolicyCondition): string {
  const field = fieldText(condition.field);
  if ('exists' in condition) return `${field} ${condition.exists ? 'exists' : 'missing'}`;
  if ('prefix' in condition) return `${field}^=${valueText(condition.prefix)}`;
  if ('contains' in condition) return `${field}*=${valueText(condition.contains)}`;
  if ('notEquals' in condition) return `${field}!=${valueText(condition.notEquals)}`;
  if ('oneOf' in condition) return `${field}=${condition.oneOf.map(valueText).join(',')}`;
  if ('equals' in condition) return `${field}=${valueText(condition.equals)}`;
  if ('lessThan' in condition) return `${field}<${condition.lessThan}`;
  if ('lessThanOrEqual' in condition) return `${field}<=${condition.lessThanOrEqual}`;
  if ('greaterThan' in condition) return `${field}>${condition.greaterThan}`;
  return `${field}>=${condition.greaterThanOrEqual}`;
}

type Json = Extract<PolicyCondition, { equals: unknown }>['equals'];
type Operator = '=' | '!=' | '^=' | '*=' | Comparison | 'exists' | 'missing';
type Comparison = '<' | '<=' | '>' | '>=';

interface ConditionParts {
  field: string;
  operator: Operator;
  value: string;
}

const quotedName = '"(?:[^"\\\\]|\\\\.)*"';
const presence = new RegExp(`^(${quotedName}|[^=<>]*?)\\s+(exists|missing)$`, 's');
const withValue = new RegExp(`^(${quotedName}|[^=^<>!*]*)(=|!=|\\^=|\\*=|<=|>=|<|>)(.*)$`, 's');

/** The first operator counts, so a value may contain any of them. */
function splitCondition(text: string): ConditionParts {
  const found = presence.exec(text.trim()) ?? withValue.exec(text.trim());
  if (found === null) throw notUnderstood(text);
  const [, name = '', operator, value = ''] = found;
  const field = fieldName(name.trim());
  if (field === '' || found[3] === '') throw notUnderstood(text);
  return { field, operator: operator as Operator, value };
}

function fieldName(name: string): string {
  const parsed = name.startsWith('"') ? parseJson(name) : undefined;
  return typeof parsed === 'string' ? parsed : name;
}

/** Quoted if it would be read as something else. */
function fieldText(field: string): string {
  return /[=^<>!*"]|\s/.test(field) ? JSON.stringify(field) : field;
}

function comparison(field: string, operator: Comparison, limit: number): PolicyCondition {
  if (operator === '<') return { field, lessThan: limit };
  if (operator === '<=') return { field, lessThanOrEqual: limit };
  return operator === '>' ? { field, greaterThan: limit } : { field, greaterThanOrEqual: limit };
}

function limitOf(value: string, text: string): number {
  const parsed = parseJson(value);
  if (typeof parsed === 'number') return parsed;
  throw new ExecutorError('usage', `<, <=, > and >= compare with a number up to 2^53, got "${text}".`);
}

function singleValue(value: string, text: string): Json {
  const parsed = alternatives(value);
  if ('equals' in parsed) return parsed.equals;
  throw new ExecutorError(
    'usage',
    `!= takes one value, got "${text}". Repeat --when for more, or quote a text with a comma.`,
  );
}

function alternatives(value: string): { equals: Json } | { oneOf: Json[] } {
  const whole = parseJson(value);
  if (whole !== undefined) return { equals: whole };
  const parts = splitAtCommas(value).map(jsonOrText);
  return parts.length > 1 ? { oneOf: parts } : { equals: value };
}

/** Commas inside quotes, brackets and braces belong to the value. */
function splitAtCommas(value: string): string[] {
  const parts = value.match(/(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\{[^}]*\}|[^,])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function prefixOf(value: string): string {
  const parsed = parseJson(value);
  return typeof parsed === 'string' ? parsed : value;
}

function jsonOrText(text: string): Json {
  const parsed = parseJson(text);
  return parsed === undefined ? text : parsed;
}

/** Integers beyond 2^53 are kept as the text of their digits, because numbers would round them. */
function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text);
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? text.trim() : value;
  } catch {
    return undefined;
  }
}

/** Without quotes if that is read back as the same value. */
function valueText(value: Json): string {
  const bare = typeof value === 'string' && /^[^\s",[\]{}](?:[^",[\]{}]*[^\s",[\]{}])?$/.test(value);
  return bare && parseJson(value) === undefined ? value : JSON.stringify(value);
}

function notUnderstood(text: string): ExecutorError {
  return new ExecutorError('usage', `A condition is ${conditionSyntax}. Got "${text}".`);
}
