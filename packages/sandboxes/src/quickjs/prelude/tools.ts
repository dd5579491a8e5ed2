import { request } from './calls.ts';
import { encode } from './encode.ts';
import { framesHere } from './stack.ts';
import { keepPath, nameOf } from './tool-paths.ts';

/**
 * `tools.a.b(input)` for any path. The catalog is not loaded here. The proxy must not look like a promise, or `await` would call a tool
 * named `then`.
 */
const notSegments = ['then', 'catch', 'finally', 'constructor', 'prototype', '__proto__'];
/** Properties that code reads to list all tools. */
const listings: unknown[] = ['toJSON', Symbol.iterator, Symbol.asyncIterator];
const unlisted =
  'tools cannot be listed: it is every operation of every connected source. Use await tools.discover({ query }) to find one.';

const tools = toolsAt('');
Object.defineProperty(globalThis, 'tools', { value: tools, writable: true, configurable: true });

/** The argument of a submitted function. It suits both `(tools) =>` and `({ tools }) =>`. */
export const argument = new Proxy(tools, {
  get: (target, key) => (key === 'tools' ? target : (target as Record<PropertyKey, unknown>)[key]),
});

function toolsAt(path: string): object {
  const children: Record<string, object> = Object.create(null);
  const refuse = (sentence: string) => () => {
    throw new TypeError(sentence);
  };
  const name = nameOf(path);
  const proxy = new Proxy(() => undefined, {
    get(_target, key) {
      const existing = children[key as string];
      if (existing !== undefined) return existing;
      if (key === Symbol.toPrimitive || key === 'toString') return () => name;
      if (listings.includes(key)) return refuse(unlisted);
      if (typeof key === 'symbol' || notSegments.includes(key)) return undefined;
      const child = toolsAt(path === '' ? key : `${path}.${key}`);
      children[key] = child;
      return child;
    },
    // The stack is taken here, where it is short, because each frame has a cost.
    apply: (_target, _self, args) => request(path, () => inputOf(path, args), framesHere()),
    ownKeys: refuse(unlisted),
    has: refuse(unlisted),
    set: refuse(`${name} cannot be changed.`),
    defineProperty: refuse(`${name} cannot be changed.`),
    deleteProperty: refuse(`${name} cannot be changed.`),
    setPrototypeOf: refuse(`${name} cannot be changed.`),
  });
  keepPath(proxy, path);
  return proxy;
}

function inputOf(path: string, args: unknown[]): string {
  if (path === '')
    throw new TypeError('tools is not a function; call one of its paths, such as tools.discover({ query }).');
  if (args.length > 1)
    throw new TypeError(`tools.${path} takes one argument, an object; got ${args.length}.`);
  return encode(args[0] === undefined ? {} : args[0], 'input');
}
