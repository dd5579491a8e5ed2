const maxFields = 12;
const maxKeyChars = 40;

/** The end of a list that was cut for display. */
const cutItems = /^… \((\d+) more items\)$/;

/** The shape of a JSON value in a few words: `{ total_count, items: array of 30 }`. It shows names of fields, and no values. */
export function outlineOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined';
  if (Array.isArray(value)) return arrayOutline(value);
  if (typeof value !== 'object') return typeof value === 'object' ? '' : `a ${typeof value}`;
  return fieldsOutline(value);
}

function arrayOutline(items: unknown[]): string {
  if (items.length === 0) return 'an empty array';
  const [first] = items;
  const of = isObject(first) ? ` ${fieldsOutline(first)}` : '';
  return `an array of ${countOf(items)}${of}`;
}

function fieldsOutline(value: object): string {
  const keys = Object.keys(value);
  const shown = keys.slice(0, maxFields).map((key) => {
    const field = (value as Record<string, unknown>)[key];
    return Array.isArray(field) ? `${nameText(key)}: array of ${countOf(field)}` : nameText(key);
  });
  const more = keys.length - shown.length;
  if (keys.length === 0) return 'an empty object';
  return `{ ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''} }`;
}

function countOf(items: unknown[]): number {
  const last = items.at(-1);
  const more = typeof last === 'string' ? cutItems.exec(last)?.[1] : undefined;
  return more === undefined ? items.length : items.length - 1 + Number(more);
}

/** Names of fields come from other systems, so they are quoted and cut unless they are plain. */
export function nameText(name: string): string {
  return /^[A-Za-z_$][\w$]{0,39}$/.test(name) ? name : JSON.stringify(name.slice(0, maxKeyChars));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
