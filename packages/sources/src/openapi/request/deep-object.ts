import { escapeName } from './escape.ts';
import { RequestError } from './request-error.ts';
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
      for (const [property, item] of Object.entries(part))
        write(`${key}[${checkKey(name, property)}]`, item, depth + 1);
    } else {
      pairs.push(`${escapeName(key)}=${encode(textOf(part))}`);
    }
  };
  write(name, value, 0);
  return pairs;
}

/** Brackets would lead into another object than the one that the rules have read, and an empty key would make a list. */
function checkKey(name: string, property: string): string {
  if (property === '' || /[[\]]/.test(property))
    throw new RequestError(
      `${name} cannot have the key ${JSON.stringify(property.slice(0, 100))}: a key that is empty or has brackets would be read as another one.`,
    );
  return property;
}
