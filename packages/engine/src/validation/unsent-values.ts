import type { Budget } from './budget.ts';
import { setOwn } from './json-copy.ts';

/**
 * A value as the other system may receive it: without null, and without lists and objects that have nothing else. A source does not send
 * such parameters, and many systems treat them as missing in a body too. Undefined if nothing is left.
 */
export function withoutUnsent(value: unknown, budget: Budget): unknown {
  if (value === null) return undefined;
  if (typeof value !== 'object') return value;
  return Array.isArray(value)
    ? sentItems(value, budget)
    : sentProperties(value as Record<string, unknown>, budget);
}

function sentItems(items: unknown[], budget: Budget): unknown[] | undefined {
  budget.spendOn(items, items.length);
  const kept = items.map((item) => withoutUnsent(item, budget)).filter((item) => item !== undefined);
  if (kept.length === 0) return undefined;
  return kept.length === items.length && kept.every((item, index) => item === items[index]) ? items : kept;
}

/** The same object if all of it is sent. */
function sentProperties(
  object: Record<string, unknown>,
  budget: Budget,
): Record<string, unknown> | undefined {
  const keys = Object.keys(object);
  budget.spendOn(object, keys.length);
  const values = keys.map((key) => withoutUnsent(object[key], budget));
  if (values.every((value) => value === undefined)) return undefined;
  if (values.every((value, index) => value === object[keys[index] as string])) return object;
  const sent: Record<string, unknown> = {};
  for (const [index, key] of keys.entries())
    if (values[index] !== undefined) setOwn(sent, key, values[index]);
  return sent;
}
