import { RequestError } from '../../call/request-error.ts';
import { escapeName } from './escape.ts';
import { decodedTwice, simplified } from './names/similar-names.ts';
import { textOf } from './shape.ts';

const maxDepth = 50;

/**
 * `name[key]=value`. The specification defines one level. Below it, this is what Stripe, Rails, PHP and `qs` read: `name[a][b]=value`
 * for nested objects, `name[]=value` for list items, and `name[0][a]=value` for list items that are objects.
 */
export function writeDeepObject(name: string, value: unknown, encode: (text: string) => string): string[] {
  const pairs: string[] = [];
  const write = (key: string, part: unknown, depth: number): void => {
    if (depth > maxDepth) throw new RequestError(`${name} is nested more than ${maxDepth} levels deep.`);
    if (part === null || part === undefined) return;
    if (Array.isArray(part)) {
      for (const [index, item] of part.entries())
        write(`${key}[${typeof item === 'object' && item !== null ? index : ''}]`, item, depth + 1);
    } else if (typeof part === 'object') {
      for (const [property, item] of sentEntries(name, part)) write(`${key}[${property}]`, item, depth + 1);
    } else {
      pairs.push(`${escapeName(key)}=${encode(textOf(part))}`);
    }
  };
  write(name, value, 0);
  return pairs;
}

/**
 * Brackets would lead into another object than the one that the rules have read, and an empty key would make a list. Lenient servers
 * read keys that are alike as one.
 */
function sentEntries(name: string, part: object): [property: string, item: unknown][] {
  const entries = Object.entries(part).filter(([, item]) => item !== null && item !== undefined);
  const properties = new Map<string, string>();
  for (const [property] of entries) {
    const key = simplified(property);
    if (key === '' || /[[\]]/.test(decodedTwice(property)))
      throw new RequestError(
        `${name} cannot have the key ${shown(property)}: servers would read a key that is empty or has brackets as another one. Use a key without brackets.`,
      );
    const other = properties.get(key);
    if (other !== undefined)
      throw new RequestError(
        `${name} cannot have both the keys ${shown(other)} and ${shown(property)}: some servers read them as the same. Use only one of them.`,
      );
    properties.set(key, property);
  }
  return entries;
}

function shown(key: string): string {
  return JSON.stringify(key.slice(0, 100));
}
