import { isObject, type JsonObject, setOwn, stringsOf } from '../document/json.ts';
import type { Place } from '../document/place.ts';
import type { Warnings } from '../document/warnings.ts';
import { asType, isOfType, readType, toNumber } from './types.ts';

/*
 * The keywords of a schema that hold no schemas, one function for each that needs a look: what is written in an older dialect is put in the
 * newer one, and what makes no sense is left out with a warning.
 */

export interface Keyword {
  value: unknown;
  place: Place;
  warnings: Warnings;
}

const maxEnumValues = 10_000;
const maxEnumChars = 256 * 1024;
const maxDefaultChars = 16 * 1024;
const longestPattern = 5_000;

export function readTypes({ value, place, warnings }: Keyword): string[] | undefined {
  const { types, unknown } = readType(value);
  const odd = unknown.filter((name) => name !== 'file' && name !== 'any');
  if (odd.length > 0) {
    warnings.add(
      place,
      `${odd.join(', ')} is no type of JSON Schema; ${types ? `it was taken for ${types.join(' or ')}` : 'any value is allowed'}.`,
    );
  }
  return types;
}

export function readNumber(
  { value, place, warnings }: Keyword,
  { above = Number.NEGATIVE_INFINITY } = {},
): number | undefined {
  const number = toNumber(value);
  if (number !== undefined && number > above) return number;
  warnings.add(place, 'This must be a number that makes sense here; it was left out.');
  return undefined;
}

export function readCount({ value, place, warnings }: Keyword): number | undefined {
  const number = toNumber(value);
  if (number !== undefined && Number.isInteger(number) && number >= 0) return number;
  // How some say that there is no limit.
  if (number !== -1) warnings.add(place, 'This must be a whole number of at least 0; it was left out.');
  return undefined;
}

/** Patterns of other languages are often wrapped in slashes, which would never match. */
export function readPattern({ value, place, warnings }: Keyword): string | undefined {
  const text = typeof value === 'string' ? (/^\/(\^.*)\/[a-z]*$/s.exec(value)?.[1] ?? value) : undefined;
  if (text !== undefined && text.length <= longestPattern && isPattern(text)) return text;
  warnings.add(place, 'This is no regular expression of JavaScript; it was left out.');
  return undefined;
}

function isPattern(text: string): boolean {
  for (const flags of ['u', '']) {
    try {
      new RegExp(text, flags);
      return true;
    } catch {
      // Older documents have patterns that are only valid without Unicode.
    }
  }
  return false;
}

export function readEnum(
  { value, place, warnings }: Keyword,
  types: string[] | undefined,
): unknown[] | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    warnings.add(place, 'This must be a list of at least one value; it was left out.');
    return undefined;
  }
  if (value.length > maxEnumValues || isLong(value, maxEnumChars)) {
    warnings.add(place, `These are ${value.length} values, too many to check; any value is allowed.`);
    return undefined;
  }
  const unique = [...new Set(value)];
  if (types === undefined || unique.some((one) => isOfType(one, types))) return unique;
  // `finishSchema` takes them for values of the items.
  if (types.includes('array')) return undefined;
  const meant = unique.map((one) => asType(one, types));
  if (meant.some((one) => one === undefined)) {
    warnings.add(place, `None of these values is of the type ${types.join(' or ')}; they were left out.`);
    return undefined;
  }
  return meant;
}

/** Undefined where there is none that fits. */
export function readDefault({ value, place, warnings }: Keyword, types: string[] | undefined): unknown {
  if (isLong(value, maxDefaultChars)) {
    warnings.add(place, 'This default is too large; it was left out.');
    return undefined;
  }
  if (types === undefined) return value;
  const meant = asType(value, types);
  // `default: null` is how many say that there is none.
  if (meant === undefined && value !== null) {
    warnings.add(place, `The default is not of the type ${types.join(' or ')}; it was left out.`);
  }
  return meant;
}

function isLong(value: unknown, most: number): boolean {
  if (typeof value === 'string') return value.length > most;
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > most;
}

/** Draft 4 says in one keyword what is two now. */
export function readDependencies(value: unknown): { required: JsonObject; schemas: JsonObject } {
  const required: JsonObject = {};
  const schemas: JsonObject = {};
  for (const [key, one] of isObject(value) ? Object.entries(value) : []) {
    if (Array.isArray(one)) setOwn(required, key, stringsOf(one));
    else setOwn(schemas, key, one);
  }
  return { required, schemas };
}
