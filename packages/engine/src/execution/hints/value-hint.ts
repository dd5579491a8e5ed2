import { isObject, nameText, outlineOf } from './outline.ts';
import type { RunResults } from './run-results.ts';
import type { Origin } from './value-origin.ts';

/** Names that clients of HTTP APIs give to the body of a response. */
const wrappers = ['data', 'body', 'json', 'response', 'result', 'results', 'items', 'content', 'value'];

interface Place {
  value: unknown;
  /** The fields that exist, as code. */
  text: string;
  /** The first field that does not exist. */
  missing?: string;
}

/** Says what the value at `origin` really is, for code that expected another one. `wanted` is what the code read or called there. */
export async function valueHint(
  origin: Origin,
  results: RunResults,
  wanted: { property?: string; isList?: boolean } = {},
): Promise<string | undefined> {
  const result = await results.last(origin.path);
  if (result === undefined) return undefined;
  const { value, text, missing } = placeAt(result, origin.members);
  const where = `The result of ${origin.path}${text === '' ? '' : ` at \`${text}\``}`;
  if (value === null && missing === undefined && text !== '')
    return `${where} is null. Check it, or use \`?.\`.`;
  const absent = missing ?? (lacks(value, wanted.property) ? wanted.property : undefined);
  const has = absent === undefined ? '' : `, without ${nameText(absent)}`;
  return `${where} is ${outlineOf(value)}${has}.${adviceFor(value, { ...wanted, absent, text })}`;
}

function adviceFor(
  value: unknown,
  { isList, absent, text }: { isList?: boolean | undefined; absent?: string | undefined; text: string },
): string {
  if (Array.isArray(value)) {
    return absent !== undefined && wrappers.includes(absent) ? ' It is the list itself.' : '';
  }
  if (!isObject(value)) return '';
  const lists = Object.keys(value).filter((key) => Array.isArray(value[key]));
  const [list] = lists;
  const isNotList = isList || (absent !== undefined && listMethods.includes(absent));
  if (isNotList && list !== undefined && lists.length === 1) {
    return ` The list is its field ${text === '' ? '' : `${text}.`}${nameText(list)}.`;
  }
  const isWrapper = absent !== undefined && wrappers.includes(absent) && text === '';
  return isWrapper ? ' Tools return the body itself, already parsed.' : '';
}

export const listMethods = [
  ...['map', 'filter', 'forEach', 'find', 'findIndex', 'some', 'every', 'flatMap', 'reduce', 'slice', 'sort'],
  ...['length', 'join', 'includes', 'at', 'flat', 'concat', 'reverse', 'entries', 'push', 'toSorted'],
];

function lacks(value: unknown, property: string | undefined): boolean {
  if (property === undefined || value === undefined) return false;
  if (Array.isArray(value)) return !listMethods.includes(property);
  return isObject(value) && !Object.hasOwn(value, property);
}

/** Follows fields as far as they exist. */
function placeAt(result: unknown, members: string[]): Place {
  let value = result;
  const steps: string[] = [];
  for (const member of members) {
    const next =
      member === '[]'
        ? Array.isArray(value)
          ? value[0]
          : undefined
        : isObject(value) && Object.hasOwn(value, member)
          ? value[member]
          : undefined;
    if (next === undefined) {
      const isEmptyList = member === '[]' && Array.isArray(value);
      return { value, text: textOf(steps), ...(!isEmptyList && member !== '[]' && { missing: member }) };
    }
    value = next;
    steps.push(member);
  }
  return { value, text: textOf(steps) };
}

function textOf(steps: string[]): string {
  return steps
    .map((step, index) => (step === '[]' ? '[0]' : `${index > 0 ? '.' : ''}${nameText(step)}`))
    .join('');
}
