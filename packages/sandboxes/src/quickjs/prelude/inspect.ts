import { locationOf } from './stack.ts';

/** Formats a value for a log line. The text is bounded. Never throws. */
const maxDepth = 5;
const maxItems = 100;

export function inspect(value: unknown): string {
  try {
    return show(value, []);
  } catch {
    return '[a value that cannot be read]';
  }
}

function show(value: unknown, above: object[]): string {
  if (typeof value === 'string') return above.length === 0 ? value : JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return showFunction(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (above.includes(value)) return '[circular]';
  if (above.length >= maxDepth) return Array.isArray(value) ? '[…]' : '{…}';
  return showObject(value, [...above, value]);
}

/** A part of `tools` has no `name`, because every property of it is another part. */
function showFunction(value: { name: unknown }): string {
  const { name } = value;
  return typeof name === 'string' ? `[function ${name || 'anonymous'}]` : `[${String(value).slice(0, 200)}]`;
}

function showObject(value: object, inside: object[]): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof Error) return showError(value, inside);
  if (value instanceof URL || value instanceof URLSearchParams) return String(value);
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return '[promise]';
  if (value instanceof Map) {
    return `Map { ${list([...value], ([key, item]) => `${show(key, inside)} => ${show(item, inside)}`)} }`;
  }
  if (value instanceof Set) return `Set { ${list([...value], (item) => show(item, inside))} }`;
  if (Array.isArray(value)) return `[${list(value, (item) => show(item, inside))}]`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength} bytes)`;
  const entries = list(
    Object.keys(value),
    (key) => `${key}: ${show((value as Record<string, unknown>)[key], inside)}`,
  );
  const type = value.constructor?.name;
  return `${type && type !== 'Object' ? `${type} ` : ''}{${entries && ` ${entries} `}}`;
}

/** Includes the error's position in the code, its fields and its cause. */
function showError(error: Error, inside: object[]): string {
  const location = inside.length === 1 ? locationOf(error) : undefined;
  const fields = list(
    Object.keys(error),
    (key) => `${key}: ${show((error as unknown as Record<string, unknown>)[key], inside)}`,
  );
  const cause = error.cause === undefined ? '' : ` [cause: ${show(error.cause, inside)}]`;
  return `${error.name}: ${error.message}${location ? ` (${location})` : ''}${fields && ` { ${fields} }`}${cause}`;
}

function list<T>(items: T[], one: (item: T) => string): string {
  const shown = items.slice(0, maxItems).map(one);
  if (items.length > maxItems) shown.push(`… ${items.length - maxItems} more`);
  return shown.join(', ');
}
