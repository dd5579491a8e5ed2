import { EncodeError, MissingError } from './errors.ts';
import { stringify } from './host.ts';
import { sentenceOf } from './stand-ins.ts';
import { nameOf, pathOf } from './tool-paths.ts';

/**
 * Encodes a value as JSON without losing its meaning. Values that JSON lacks have one documented form each. A value without such a form
 * fails with a message that names its position. As in JSON, only functions, symbols and undefined are omitted from objects.
 */
export function encode(value: unknown, name: string): string {
  if (typeof value === 'object' && value !== null && isRecord(value) && isSimple(value))
    return stringify(value);
  depth = 0;
  trail[0] = name;
  return stringify(plain(value)) ?? 'null';
}

const maxDepth = 200;
/** An iterator may be endless. */
const maxIterated = 100_000;
const maxItems = 10_000_000;
/** The ancestors of the current object, and the path to it. */
const above: unknown[] = [];
const trail: string[] = [];
let depth = 0;
const { prototype: objectPrototype } = Object;
const { getOwnPropertyDescriptors, getPrototypeOf, hasOwn, keys } = Object;
const unreadable = [WeakMap, WeakSet, WeakRef, FinalizationRegistry];

function plain(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'function':
      return leaveOut(value);
    case 'symbol':
      return undefined;
    case 'object':
      return value === null ? null : plainObject(value);
    default:
      return value;
  }
}

/** Omits functions, as JSON does. A tool or a stand-in for a missing global is an error, because the author meant something else. */
function leaveOut(value: object): undefined {
  const missing = sentenceOf(value);
  if (missing !== undefined) throw new MissingError(missing);
  const path = pathOf(value);
  if (path === undefined) return undefined;
  const name = nameOf(path);
  const whose = trail[0] === 'result' ? 'The code returns' : 'The input has';
  throw new EncodeError(`${whose} ${name} itself, which is not a value. Call it: await ${name}({ … }).`);
}

function plainObject(value: object): unknown {
  if (isAbove(value)) {
    throw new EncodeError(
      `${here(depth)} refers back to an object that contains it; a circular value has no JSON form.`,
    );
  }
  if (depth >= maxDepth) {
    throw new EncodeError(`${here(depth).slice(0, 60)}… is nested more than ${maxDepth} levels deep.`);
  }
  above[depth++] = value;
  const form = isRecord(value) ? plainRecord(value) : formOf(value);
  depth -= 1;
  return form;
}

function isRecord(value: object): boolean {
  return (
    getPrototypeOf(value) === objectPrototype &&
    !('toJSON' in value) &&
    !('then' in value) &&
    !('next' in value)
  );
}

function plainRecord(value: object): unknown {
  if (isSimple(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of keys(value)) copy[key] = inside(`.${key}`, (value as Record<string, unknown>)[key]);
  return copy;
}

/** Whether JSON can take the object as it is. This is so for max inputs. */
function isSimple(value: object): boolean {
  const names = keys(value);
  for (let position = 0; position < names.length; position++) {
    const item = (value as Record<string, unknown>)[names[position] as string];
    const type = typeof item;
    if (type === 'string' || type === 'boolean' || item === null) continue;
    if (type !== 'number' || (item as number) - (item as number) !== 0) return false;
  }
  return true;
}

function plainList(values: Iterable<unknown>, max = Number.POSITIVE_INFINITY): unknown[] {
  let index = 0;
  const list: unknown[] = [];
  for (const value of values) {
    if (index >= max) refuse(`has more than ${max} items; pass only the items that you need`);
    list[index] = inside(`[${index}]`, value) ?? null;
    index += 1;
  }
  return list;
}

/** A sparse list may be too long to read. */
function plainArray(values: unknown[]): unknown[] {
  if (values.length > maxItems) refuse(`has ${values.length} items; pass only the items that you need`);
  return plainList(values);
}

/** Encodes objects that are not plain records. */
function formOf(value: object): unknown {
  if (Array.isArray(value)) return plainArray(value);
  if (value instanceof Set) return plainList(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Map) return plainMap(value);
  if (value instanceof RegExp) return String(value);
  if (value instanceof Error) return plainError(value);
  if (isBoxed(value)) return plain(value.valueOf());
  if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer || ArrayBuffer.isView(value))
    return plainBinary(value);
  for (const type of unreadable)
    if (value instanceof type) refuse(`is a ${type.name}, whose content cannot be read`);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return inside('.toJSON()', toJSON.call(value, '')) ?? null;
  return formByMethods(value);
}

/** Recognises promises, iterators and instances by their methods. */
function formByMethods(value: object): unknown {
  const methods = value as Record<PropertyKey, unknown>;
  if (typeof methods.then === 'function') refuse('is a promise; await it');
  if (typeof methods.next === 'function') {
    if (typeof methods[Symbol.asyncIterator] === 'function')
      refuse('is an async iterator; collect its values with for await, or Array.fromAsync');
    if (typeof methods[Symbol.iterator] === 'function')
      return plainList(value as Iterable<unknown>, maxIterated);
  }
  const prototype = getPrototypeOf(value);
  const isInstance = prototype !== null && prototype !== objectPrototype;
  return isInstance && keys(value).length === 0 ? plainInstance(value, prototype) : plainRecord(value);
}

/** Shows the getters of an instance that has no fields of its own. */
function plainInstance(value: object, prototype: object): unknown {
  const copy: Record<string, unknown> = Object.create(null);
  for (let level = prototype; level && level !== objectPrototype; level = getPrototypeOf(level)) {
    const fields = getOwnPropertyDescriptors(level);
    for (const key of keys(fields)) {
      if (fields[key]?.get && !(key in copy))
        copy[key] = inside(`.${key}`, (value as Record<string, unknown>)[key]);
    }
  }
  if (keys(copy).length === 0) {
    const name = (prototype as { constructor?: { name?: unknown } }).constructor?.name;
    refuse(
      `is an instance of ${String(name || 'a class')} that has no fields; pass the values that you need`,
    );
  }
  return copy;
}

function isBoxed(value: object): boolean {
  return (
    value instanceof Number ||
    value instanceof String ||
    value instanceof Boolean ||
    value instanceof BigInt ||
    value instanceof Symbol
  );
}

/** Returns an object if all keys are strings, else a list of pairs. */
function plainMap(map: Map<unknown, unknown>): unknown {
  const item = (value: unknown, key: unknown) => inside(`.get(${String(key)})`, value);
  if (![...map.keys()].every((key) => typeof key === 'string')) {
    return Array.from(map, ([key, value]) => [inside(' key', key) ?? null, item(value, key) ?? null]);
  }
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, value] of map) copy[key as string] = item(value, key);
  return copy;
}

/** Includes `cause` and `errors`, which are not enumerable. */
function plainError(error: Error): unknown {
  const copy: Record<string, unknown> = Object.create(null);
  copy.name = String(error.name);
  copy.message = String(error.message);
  for (const key of ['cause', 'errors'])
    if (hasOwn(error, key)) copy[key] = inside(`.${key}`, (error as unknown as Record<string, unknown>)[key]);
  return Object.assign(copy, plainRecord(error));
}

/** Encodes bytes as base64, and other typed arrays as numbers. */
function plainBinary(value: ArrayBufferLike | ArrayBufferView): unknown {
  if (!ArrayBuffer.isView(value)) return base64(new Uint8Array(value));
  const bytewise =
    value instanceof Uint8Array || value instanceof Uint8ClampedArray || value instanceof DataView;
  if (!bytewise) return plainList(value as unknown as Iterable<unknown>);
  return base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
}

function base64(bytes: Uint8Array): { type: 'bytes'; base64: string } {
  return { type: 'bytes', base64: btoa(binaryText(bytes)) };
}

/** Returns one character per byte. */
export function binaryText(bytes: Uint8Array): string {
  const piece = 4096;
  let text = '';
  for (let at = 0; at < bytes.length; at += piece)
    text += String.fromCharCode(...bytes.subarray(at, at + piece));
  return text;
}

function inside(step: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return plain(value);
  trail[depth] = step;
  return plainObject(value);
}

/** A loop, because code may have replaced the methods of arrays. */
function isAbove(value: object): boolean {
  for (let level = 0; level < depth; level++) if (above[level] === value) return true;
  return false;
}

function refuse(sentence: string): never {
  throw new EncodeError(`${here(depth - 1)} ${sentence}.`);
}

function here(last: number): string {
  let path = '';
  for (let level = 0; level <= last; level++) path += stepOf(trail[level] as string);
  return path;
}

function stepOf(step: string): string {
  const isPlain = step[0] !== '.' || /^\.(get\(|toJSON\(|[\p{L}_$][\p{L}\p{N}_$]*$)/u.test(step);
  return isPlain ? step : `[${stringify(step.slice(1))}]`;
}
