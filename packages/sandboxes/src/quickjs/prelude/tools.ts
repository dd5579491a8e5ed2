import { request } from './calls.ts';
import { encode } from './encode.ts';

/**
 * `tools.a.b(input)` for any path: nothing of the catalog is here until it is used. A proxy must not look like a promise or
 * have a JSON form, or awaiting and returning it would call a tool named `then` or `toJSON`.
 */
const notSegments = ['then', 'catch', 'finally', 'toJSON', 'constructor', 'prototype', '__proto__'];
const unlisted =
  'tools cannot be listed: it is every operation of every connected source. Use await tools.discover({ query }) to find one.';

Object.defineProperty(globalThis, 'tools', { value: toolsAt(''), writable: true, configurable: true });

function toolsAt(path: string): object {
  const children: Record<string, object> = Object.create(null);
  const refuse = (sentence: string) => () => {
    throw new TypeError(sentence);
  };
  const name = path === '' ? 'tools' : `tools.${path}`;
  return new Proxy(() => undefined, {
    get(_target, key) {
      if (key === Symbol.toPrimitive || key === 'toString') return () => name;
      if (typeof key === 'symbol' || notSegments.includes(key)) return undefined;
      children[key] ??= toolsAt(path === '' ? key : `${path}.${key}`);
      return children[key];
    },
    apply: (_target, _self, args) => callTool(path, args),
    ownKeys: refuse(unlisted),
    has: refuse(unlisted),
    set: refuse(`${name} cannot be changed.`),
    defineProperty: refuse(`${name} cannot be changed.`),
    deleteProperty: refuse(`${name} cannot be changed.`),
    setPrototypeOf: refuse(`${name} cannot be changed.`),
  });
}

function callTool(path: string, args: unknown[]): Promise<unknown> {
  if (path === '')
    throw new TypeError('tools is not a function; call one of its paths, such as tools.discover({ query }).');
  if (args.length > 1)
    throw new TypeError(`tools.${path} takes one argument, an object; got ${args.length}.`);
  return request(path, encode(args[0] === undefined ? {} : args[0], 'input'));
}
