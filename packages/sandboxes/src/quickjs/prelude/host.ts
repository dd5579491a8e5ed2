/**
 * The prelude runs inside the engine, before and beside the submitted code, in the same realm. It takes the host's functions
 * off the global object, so that code cannot reach them, and keeps the built-ins that it relies on, so that code which
 * replaces them harms nothing but itself. The boundary is the host: it trusts no argument.
 */
interface Host {
  call(path: string, input: string): number | string;
  abandon(index: number): void;
  log(level: string, text: string): void;
  settle(how: 'returned' | 'threw', json: string): string | undefined;
  parseUrl(text: string, base?: string): string | undefined;
  changeUrl(href: string, field: string, value: string): string | undefined;
  parseQuery(text: string): string;
  formatQuery(pairs: string): string;
  formatNumber(question: string, value: string): string | undefined;
  formatDate(question: string, at: number): string | undefined;
  encodeText(text: string): Uint8Array;
  decodeText(label: string, binary: string, options: string): string | undefined;
}

const realm = globalThis as unknown as { __executor: Host & Record<string, unknown> };
const bound = realm.__executor;
export const host: Host = { ...bound };

/** Hands the functions that the host calls to it, and closes the door. */
export function connect(entries: Record<string, unknown>): void {
  Object.assign(bound, entries);
  Reflect.deleteProperty(realm, '__executor');
}

export const { parse, stringify } = JSON;
export const NativePromise = Promise;
export const NativeError = Error;
export const NativeDate = Date;

/** A map that keeps working when its prototype is changed. */
export function ownMap<Key, Value>(): Map<Key, Value> {
  const { get, set, delete: remove } = Map.prototype;
  return Object.assign(new Map<Key, Value>(), { get, set, delete: remove });
}

/** Adds globals that look like the platform's own: named, not enumerable, replaceable. */
export function defineGlobals(globals: Record<string, unknown>): void {
  defineHidden(globalThis, globals);
  for (const [name, value] of Object.entries(globals)) {
    if (typeof value === 'function')
      Object.defineProperty(value, 'name', { value: name, configurable: true });
  }
}

export function defineHidden(target: object, properties: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  }
}
