/**
 * The prelude runs inside the engine, in the same realm as the submitted code. It hides the host's functions from the code, and keeps the
 * built-ins that it uses, so that code which replaces them harms only itself. It is not the security boundary. The host trusts no argument,
 * and the server trusts no host.
 */
interface Host {
  call(path: string, input: string): number | string;
  abandon(index: number): void;
  log(level: string, text: string): void;
  settle(how: 'returned' | 'threw', json: string): string | undefined;
  parseUrl(text: string, base?: string): string | undefined;
  changeUrl(href: string, field: string, value: string): string | undefined;
  parseQuery(text: string): string | undefined;
  formatQuery(pairs: string): string | undefined;
  formatNumber(question: string, value: string): string | undefined;
  formatDate(question: string, at: number): string | undefined;
  compareTexts(question: string, a: string, b: string): number | undefined;
  pluralForm(question: string, value: number): string | undefined;
  encodeText(text: string): Uint8Array;
  decodeText(label: string, binary: string, options: string): string | undefined;
}

const realm = globalThis as unknown as { __executor: Host & Record<string, unknown> };
const bound = realm.__executor;
export const host: Host = { ...bound };

/** Gives the host the functions that it calls, and hides the host object. */
export function connect(entries: Record<string, unknown>): void {
  Object.assign(bound, entries);
  Reflect.deleteProperty(realm, '__executor');
  hideFunctionsOfFrames();
}

/** `Error.prepareStackTrace` receives the frames of a stack. Their functions would include ours. */
function hideFunctionsOfFrames(): void {
  const errors = NativeError as unknown as { prepareStackTrace: unknown };
  const before = errors.prepareStackTrace;
  errors.prepareStackTrace = (_error: unknown, frames: object[]) => frames;
  const [frame] = new NativeError().stack as unknown as object[];
  errors.prepareStackTrace = before;
  for (const name of ['getFunction', 'getThis'])
    Reflect.deleteProperty(Object.getPrototypeOf(frame as object), name);
}

export const { parse, stringify } = JSON;
const { defineProperty } = Object;
export const NativePromise = Promise;
export const NativeError = Error;
export const NativeReferenceError = ReferenceError;
export const NativeDate = Date;

/** A map that works even if its prototype is changed. */
export function ownMap<Key, Value>(): Map<Key, Value> {
  const { get, set, delete: remove } = Map.prototype;
  return Object.assign(new Map<Key, Value>(), { get, set, delete: remove });
}

/** Adds globals with the attributes of built-in ones: named, not enumerable, replaceable. */
export function defineGlobals(globals: Record<string, unknown>): void {
  defineHidden(globalThis, globals);
  for (const [name, value] of Object.entries(globals)) {
    if (typeof value === 'function')
      Object.defineProperty(value, 'name', { value: name, configurable: true });
  }
}

/** The descriptor has no prototype, because code may have added `get` to `Object.prototype`. */
export function defineOwn(target: object, name: PropertyKey, value: unknown): void {
  const descriptor = { __proto__: null, value, writable: true, configurable: true, enumerable: false };
  defineProperty(target, name, descriptor);
}

export function defineHidden(target: object, properties: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(properties)) {
    defineOwn(target, name, value);
  }
}
