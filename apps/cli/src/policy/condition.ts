import { ExecutorError, type PolicyCondition } from '@executor/protocol';

type Json = Extract<PolicyCondition, { equals: unknown }>['equals'];

/**
 * A condition as it is typed: `repo=executor`, `repo=executor,website` (one of them), `title^=Draft`. What is JSON is taken as
 * JSON, so `draft=true` asks for a boolean and `title="a, b"` for one text with a comma.
 */
export function parseCondition(text: string): PolicyCondition {
  const [, field = '', operator, value = ''] = /^([^=^]*)(\^?=)(.*)$/s.exec(text) ?? [];
  if (operator === undefined || field.trim() === '' || value === '') {
    throw new ExecutorError(
      'usage',
      `A condition is field=value, field=one,other or field^=beginning, got "${text}".`,
    );
  }
  if (operator === '^=') return { field: field.trim(), prefix: prefixOf(value) };
  return { field: field.trim(), ...alternatives(value) };
}

/** A condition as it would be typed. */
export function conditionText(condition: PolicyCondition): string {
  if ('prefix' in condition) return `${condition.field}^=${valueText(condition.prefix)}`;
  if ('oneOf' in condition) return `${condition.field}=${condition.oneOf.map(valueText).join(',')}`;
  return `${condition.field}=${valueText(condition.equals)}`;
}

function alternatives(value: string): { equals: Json } | { oneOf: Json[] } {
  const whole = parseJson(value);
  if (whole !== undefined) return { equals: whole };
  const parts = splitAtCommas(value).map((part) => {
    const parsed = parseJson(part);
    return parsed === undefined ? part : parsed;
  });
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

/** Integers beyond 2^53 stay the text of their digits: as numbers they would be rounded, and mean others. */
function parseJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text);
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? text.trim() : value;
  } catch {
    return undefined;
  }
}

/** Without quotes where that is read back as the same value. */
function valueText(value: Json): string {
  const bare = typeof value === 'string' && /^[^\s",[\]{}](?:[^",[\]{}]*[^\s",[\]{}])?$/.test(value);
  return bare && parseJson(value) === undefined ? value : JSON.stringify(value);
}
