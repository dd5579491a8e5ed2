/**
 * Cuts JSON text to about `bytes`. It stays valid and keeps its shape: long lists and texts lose their ends, deep values are replaced by
 * a note, and each cut says how much is missing. Of JSON with very many values only the size is shown.
 */
export function cutJson(json: string, bytes: number): string {
  if (Buffer.byteLength(json) <= bytes) return json;
  if (hasTooManyValues(json)) return sizeNote(json);
  const value: unknown = JSON.parse(json);
  // The budget is spent from the front. What a small part leaves over is used for later parts.
  for (let budget = bytes; budget >= 64; budget = Math.floor(budget * 0.8)) {
    const text = JSON.stringify(cutValue(value, budget));
    if (Buffer.byteLength(text) <= bytes) return text;
  }
  return sizeNote(json);
}

function sizeNote(json: string): string {
  return JSON.stringify(`… (${Buffer.byteLength(json)} bytes)`);
}

/** So many values take up to 100 MB of memory. Without this limit, 25 MB of \`{},{},…\` take 900 MB and many seconds. */
const maxValues = 500_000;

/** Counts commas and brackets. Those in strings count too. */
function hasTooManyValues(json: string): boolean {
  if (json.length <= maxValues) return false;
  let values = 0;
  for (let at = 0; at < json.length && values <= maxValues; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) values += 1;
  }
  return values > maxValues;
}

const minForPart = 24;

function cutValue(value: unknown, budget: number): unknown {
  if (typeof value === 'string') return cutText(value, budget);
  if (Array.isArray(value)) return cutList(value, budget);
  if (typeof value === 'object' && value !== null) return cutObject(value as Record<string, unknown>, budget);
  return value;
}

function cutText(text: string, budget: number): string {
  if (Buffer.byteLength(text) + 2 <= budget) return text;
  const kept = Math.max(0, Math.min(text.length, budget - minForPart));
  // A lone surrogate is not a character.
  const end = /[\uD800-\uDBFF]/.test(text[kept - 1] ?? '') ? kept - 1 : kept;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

function cutList(list: unknown[], budget: number): unknown[] {
  const kept: unknown[] = [];
  let left = budget - minForPart;
  for (const item of list) {
    if (left < minForPart) break;
    const whole = sizeOf(item, left);
    const part = whole <= left ? item : cutValue(item, Math.max(minForPart, Math.floor(left / 2)));
    kept.push(part);
    left -= sizeOf(part, left) + 1;
  }
  return kept.length < list.length ? [...kept, `… (${list.length - kept.length} more items)`] : kept;
}

function cutObject(object: Record<string, unknown>, budget: number): Record<string, unknown> {
  const entries = Object.entries(object);
  const kept: [string, unknown][] = [];
  let left = budget - minForPart;
  for (const [position, [name, item]] of entries.entries()) {
    const keyBytes = name.length + 4;
    if (left < minForPart + keyBytes) break;
    const share = Math.max(
      minForPart,
      Math.floor((left - keyBytes) / Math.min(4, entries.length - position)),
    );
    const part = sizeOf(item, left) <= share ? item : cutValue(item, share);
    kept.push([name, part]);
    left -= keyBytes + sizeOf(part, left);
  }
  const missing = entries.length - kept.length;
  return Object.fromEntries(missing > 0 ? [...kept, ['…', `${missing} more fields`]] : kept);
}

/** The size of a value in bytes, or any number above `enough`. */
function sizeOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length > enough ? value.length : Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let bytes = 2;
  for (const [name, item] of Object.entries(value)) {
    bytes += (Array.isArray(value) ? 1 : name.length + 4) + sizeOf(item, enough - bytes);
    if (bytes > enough) break;
  }
  return bytes;
}
