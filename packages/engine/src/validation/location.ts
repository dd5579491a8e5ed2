import { setOwn } from './json-copy.ts';

/** A location in the input; `undefined` is the input itself. */
export interface InputLocation {
  parent: InputLocation | undefined;
  key: string | number;
}

/** The location as a JavaScript expression: `input.labels[0].name`, `input["content-type"]`. */
export function locationName(location: InputLocation | undefined, root: string): string {
  const steps: string[] = [];
  for (let current = location; current; current = current.parent) steps.unshift(step(current.key));
  return `${root}${steps.join('')}`;
}

function step(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[A-Za-z_$][\w$]{0,99}$/.test(key) ? `.${key}` : `[${excerpt(key)}]`;
}

/** JSON text of a value, short enough for a sentence. */
export function excerpt(value: unknown, longest = 60): string {
  return cutText(JSON.stringify(beginningOf(value, { longest, values: longest })) ?? 'undefined', longest);
}

export function cutText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** At most so many values of it. Each of them takes at least two characters. */
function beginningOf(value: unknown, left: { longest: number; values: number }): unknown {
  left.values -= 1;
  if (typeof value === 'string') return value.slice(0, left.longest + 1);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (let index = 0; index < value.length && left.values > 0; index++)
      items.push(beginningOf(value[index], left));
    return items;
  }
  const object: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value).slice(0, left.values))
    setOwn(object, key, beginningOf(part, left));
  return object;
}
