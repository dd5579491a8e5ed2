import { defineGlobals, defineOwn, NativeError } from '../host.ts';

defineGlobals({
  structuredClone(value: unknown, options?: { transfer?: unknown[] }): unknown {
    if (options?.transfer?.length)
      throw refusal('structuredClone cannot transfer: the sandbox has only one thread.');
    return clone(value, new Map());
  },
});

function clone(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw refusal(`A ${typeof value} cannot be cloned.`);
  if (typeof value !== 'object' || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const copy = emptyCopy(value);
  seen.set(value, copy);
  if (value instanceof Map)
    for (const [key, item] of value) (copy as Map<unknown, unknown>).set(clone(key, seen), clone(item, seen));
  else if (value instanceof Set) for (const item of value) (copy as Set<unknown>).add(clone(item, seen));
  else if (!isWhole(value)) copyProperties(value, copy, seen);
  return copy;
}

/** An empty copy of the object. Its content is added later. */
function emptyCopy(value: object): object {
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (Array.isArray(value)) return new Array(value.length);
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value)) return copyView(value);
  if (value instanceof Error) return copyError(value);
  if (value instanceof Number || value instanceof String || value instanceof Boolean)
    return Object(value.valueOf());
  if (
    value instanceof Promise ||
    value instanceof WeakMap ||
    value instanceof WeakSet ||
    value instanceof WeakRef ||
    value instanceof URL ||
    value instanceof URLSearchParams
  ) {
    throw refusal(`A ${value.constructor.name} cannot be cloned.`);
  }
  return {};
}

function isWhole(value: object): boolean {
  return (
    value instanceof Date ||
    value instanceof RegExp ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

function copyView(view: ArrayBufferView): object {
  const buffer = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  const View = view.constructor as new (buffer: ArrayBufferLike) => object;
  return new View(buffer);
}

const errorClasses = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

/** Uses the error's class if it is built in. */
function copyError(error: Error): Error {
  const Class = errorClasses.find(({ name }) => name === error.name) ?? NativeError;
  const copy = new Class(error.message);
  if (copy.name !== error.name) defineOwn(copy, 'name', error.name);
  defineOwn(copy, 'stack', error.stack);
  return copy;
}

function copyProperties(value: object, copy: object, seen: Map<object, unknown>): void {
  if (value instanceof NativeError && 'cause' in value) defineOwn(copy, 'cause', clone(value.cause, seen));
  for (const key of Object.keys(value)) copyProperty(copy, key, clone(Reflect.get(value, key), seen));
}

/** Defines the property, because an assignment would make `__proto__` the prototype. */
function copyProperty(copy: object, key: string, value: unknown): void {
  defineOwn(copy, key, value);
  Object.defineProperty(copy, key, { __proto__: null, enumerable: true } as PropertyDescriptor);
}

function refusal(message: string): DOMException {
  return new DOMException(message, 'DataCloneError');
}
