import { isObject, type JsonObject, setOwn, stringsOf } from '../../../document/json.ts';
import type { JsonPointer } from '../../../document/json-pointer.ts';
import type { Warnings } from '../../../document/warnings.ts';
import { asType, isOfType, readType, toNumber } from './types.ts';

/*
 * The keywords without subschemas, one function per keyword that needs conversion. Older dialects are converted to the newer one, and
 * invalid values are ignored with a warning.
 */

export interface Keyword {
  value: unknown;
  pointer: JsonPointer;
  warnings: Warnings;
}

const maxEnumValues = 10_000;
const maxEnumChars = 256 * 1024;
const maxDefaultChars = 16 * 1024;
const maxPatternChars = 5_000;

export function readTypes({ value, pointer, warnings }: Keyword): string[] | undefined {
  const { types, unknown } = readType(value);
  const invalid = unknown.filter((name) => name !== 'file' && name !== 'any');
  if (invalid.length > 0) {
    warnings.add(
      pointer,
      `${invalid.join(', ')} is not a JSON Schema type. ${types ? `Executor used ${types.join(' or ')}` : 'Any value is allowed'}.`,
    );
  }
  return types;
}

export function readNumber(
  { value, pointer, warnings }: Keyword,
  { above = Number.NEGATIVE_INFINITY } = {},
): number | undefined {
  const number = toNumber(value);
  if (number !== undefined && number > above) return number;
  warnings.add(pointer, 'This must be a valid number. Executor ignored it.');
  return undefined;
}

export function readCount({ value, pointer, warnings }: Keyword): number | undefined {
  const number = toNumber(value);
  if (number !== undefined && Number.isInteger(number) && number >= 0) return number;
  // Some documents write -1 for "no limit".
  if (number !== -1) warnings.add(pointer, 'This must be an integer of at least 0. Executor ignored it.');
  return undefined;
}

/** Patterns from other languages are often wrapped in slashes, which would never match. */
export function readPattern({ value, pointer, warnings }: Keyword): string | undefined {
  const text = typeof value === 'string' ? (/^\/(\^.*)\/[a-z]*$/s.exec(value)?.[1] ?? value) : undefined;
  if (text !== undefined && text.length <= maxPatternChars && isPattern(text)) return text;
  warnings.add(pointer, 'This is not a JavaScript regular expression. Executor ignored it.');
  return undefined;
}

function isPattern(text: string): boolean {
  for (const flags of ['u', '']) {
    try {
      new RegExp(text, flags);
      return true;
    } catch {
      // Some patterns are valid only without the Unicode flag.
    }
  }
  return false;
}

export function readEnum(
  { value, pointer, warnings }: Keyword,
  types: string[] | undefined,
): unknown[] | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    warnings.add(pointer, 'This must be a list with at least one value. Executor ignored it.');
    return undefined;
  }
  if (value.length > maxEnumValues || isLong(value, maxEnumChars)) {
    warnings.add(pointer, `This list of ${value.length} values is too long to check. Any value is allowed.`);
    return undefined;
  }
  const unique = [...new Set(value)];
  if (types === undefined || unique.some((one) => isOfType(one, types))) return unique;
  // `finishSchema` moves them to the items.
  if (types.includes('array')) return undefined;
  const converted = unique.map((one) => asType(one, types));
  if (converted.some((one) => one === undefined)) {
    warnings.add(
      pointer,
      `None of these values is of the type ${types.join(' or ')}. Executor ignored them.`,
    );
    return undefined;
  }
  return converted;
}

/** Undefined if the default is not of any of the types. */
export function readDefault({ value, pointer, warnings }: Keyword, types: string[] | undefined): unknown {
  if (isLong(value, maxDefaultChars)) {
    warnings.add(pointer, 'This default is too large. Executor ignored it.');
    return undefined;
  }
  if (types === undefined) return value;
  const converted = asType(value, types);
  // Many documents write `default: null` for "no default".
  if (converted === undefined && value !== null) {
    warnings.add(pointer, `The default is not of the type ${types.join(' or ')}. Executor ignored it.`);
  }
  return converted;
}

function isLong(value: unknown, max: number): boolean {
  if (typeof value === 'string') return value.length > max;
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > max;
}

/** `dependencies` of older drafts holds lists of required properties and schemas in one object. */
export function readDependencies(value: unknown): { required: JsonObject; schemas: JsonObject } {
  const required: JsonObject = {};
  const schemas: JsonObject = {};
  for (const [key, one] of isObject(value) ? Object.entries(value) : []) {
    if (Array.isArray(one)) setOwn(required, key, stringsOf(one));
    else setOwn(schemas, key, one);
  }
  return { required, schemas };
}
