/** Stands for the value of a field that the input does not have. */
export const missing = Symbol('missing');

/**
 * All values that a field can mean, or `missing`: `a.b` is the key `a.b`, and the key `b` of the object at `a`. If both could be meant and
 * one of them is absent, `missing` is one of the values. Inherited properties do not count.
 */
export function fieldValues(input: unknown, field: string): unknown[] {
  if (!isObject(input)) return [missing];
  const found: unknown[] = Object.hasOwn(input, field) ? [input[field]] : [];
  for (const { name, suffix } of pathsTo(field)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (isObject(value) || Array.isArray(value)) found.push(...fieldValues(value, suffix));
  }
  return found.length > 0 ? found : [missing];
}

/** The values that the field has for a system that ignores the case of names, in addition to its own. */
export function respelledValues(input: unknown, field: string, isRespelled = false): unknown[] {
  if (!isObject(input)) return [];
  const spellings = spellingsOf(input);
  const valuesOf = (name: string) =>
    (spellings.get(folded(name)) ?? []).map((key) => ({
      value: input[key],
      isOther: isRespelled || key !== name,
    }));
  const found = valuesOf(field).flatMap(({ value, isOther }) => (isOther ? [value] : []));
  for (const { name, suffix } of pathsTo(field))
    for (const { value, isOther } of valuesOf(name)) found.push(...respelledValues(value, suffix, isOther));
  return found.length === 0 && isRespelled ? [missing] : found;
}

/** The names of the objects that a dotted field may lead into. */
function pathsTo(field: string): { name: string; suffix: string }[] {
  return [...field.matchAll(/\./g)].map(({ index }) => ({
    name: field.slice(0, index),
    suffix: field.slice(index + 1),
  }));
}

/** The keys of each object by their folded names. Every rule reads the same input, and an object may have a hundred thousand keys. */
const known = new WeakMap<object, Map<string, string[]>>();

function spellingsOf(object: Record<string, unknown>): Map<string, string[]> {
  const read = known.get(object);
  if (read) return read;
  const spellings = new Map<string, string[]>();
  for (const key of Object.keys(object)) {
    const name = folded(key);
    const others = spellings.get(name);
    if (others) others.push(key);
    else spellings.set(name, [key]);
  }
  known.set(object, spellings);
  return spellings;
}

/** Equal for names that differ only in case, as Unicode folds it: `ſ` is `s`, too. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
