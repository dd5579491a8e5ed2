import type { Attack } from './attack.ts';

/** Methods that the language calls implicitly while a value is read. Each script must end with an error, a limit or a value. */
const limits = { cpuMs: 40, memoryMb: 16 };
const { memoryMb } = limits;
const revoked = 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke();';

const threw: Record<string, [code: string, message: RegExp]> = {
  'a result whose then throws when it is read': [
    'return { get then() { throw new Error("read") } }',
    /^read$/,
  ],
  'a result whose then does nothing': ['return { then() {} }', /nothing can settle/],
  'a result that is a revoked proxy': [`${revoked} return proxy`, /revoked/],
  'a result with a revoked proxy in it': [`${revoked} return { a: [proxy] }`, /revoked/],
  'a thrown proxy that is revoked': [`${revoked} throw proxy`, /cannot be described/],
  'an input whose toJSON gives ever new objects': [
    'const make = () => ({ toJSON: () => make() }); await tools.a.b(make())',
    /more than 200 levels/,
  ],
  'a result whose toJSON gives itself': ['const o = { toJSON: () => o }; return o', /refers back/],
  'a list of four thousand million holes': ['const a = []; a[2 ** 32 - 2] = 1; return a', /4294967295 items/],
  'an iterator without an end as a result': [
    'return { next: () => ({ done: false }), [Symbol.iterator]() { return this } }',
    /more than 100000 items/,
  ],
  'a list that is no list': ['return new Proxy([], { get: () => 1 })', /not iterable/],
  'a typed array without its buffer': [
    'const u = new Uint8Array(8); u.buffer.transfer(); return u',
    /detached/,
  ],
  'a species that throws': [
    'class P extends Promise { static get [Symbol.species]() { throw new Error("species") } } await P.resolve().then(() => 1)',
    /^species$/,
  ],
  'a bigint that fits nowhere': ['return 2n ** 100_000_000n', /BigInt is too large/],
  'an error whose causes go on': [
    'let e = new Error("0"); for (let i = 0; i < 1e4; i++) e = new Error("x", { cause: e }); throw e',
    /^x$/,
  ],
  'an error that is one of its own': [
    'const e = new AggregateError([], "x"); e.errors.push(e); throw e',
    /^x/,
  ],
  'a generator that never lets go': [
    'async function* g() { try { yield 1 } finally { await new Promise(() => {}) } } for await (const x of g()) break',
    /nothing can settle/,
  ],
};

const endless: Record<string, string> = {
  'a thenable that resolves with itself': 'const t = { then(resolve) { resolve(t) } }; return t',
  'an iterator that does not return':
    'const [a] = { [Symbol.iterator]: () => ({ next: () => ({}), return() { for (;;); } }) }',
  'a finalizer that registers another':
    'const r = new FinalizationRegistry(() => r.register({})); r.register({}); await sleep(1)',
  'getters that double at each level':
    'const make = (d) => d > 40 ? 1 : { get a() { return make(d + 1) }, get b() { return make(d + 1) } }; return make(0)',
  'the message of an error':
    'const e = new Error(); Object.defineProperty(e, "message", { get() { for (;;); } }); throw e',
  'a block of a class': 'class A { static { for (;;); } }',
  'a decorator': 'const d = () => { for (;;); };\n@d class A {}',
};

const harmless: Record<string, [code: string, json: string]> = {
  'methods of promises that throw': [
    'Promise.prototype.then = Promise.resolve = () => { throw 1 }; globalThis.Promise = null; return (await tools.a.b({})).echo',
    '"a.b"',
  ],
  'descriptors for all objects': [
    'Object.prototype.get = Object.prototype.value = () => 1; return (await tools.a.b({ a: 1 })).echo',
    '"a.b"',
  ],
  'JSON that throws': [
    'Object.defineProperty(globalThis, "JSON", { get() { throw 1 } }); return { a: [1] }',
    '{"a":[1]}',
  ],
  'toJSON of all strings': ['String.prototype.toJSON = () => "x"; return { a: "a" }', '{"a":"a"}'],
  'maps that lie about what is in them': [
    'WeakMap.prototype.get = Map.prototype.get = () => "x"; return (await tools.a.b({})).echo',
    '"a.b"',
  ],
  'the text of our functions': [
    'return /__executor/.test([sleep, setTimeout, URL, console.log, tools].map(String).join())',
    'false',
  ],
};

export const protocols: Attack[] = [
  ...Object.entries(threw).map(([name, [code, message]]) => ({
    name,
    code,
    message,
    limits: { memoryMb },
    ends: 'threw' as const,
  })),
  ...Object.entries(endless).map(([name, code]) => ({ name, code, limits, ends: 'timedOut' as const })),
  ...Object.entries(harmless).map(([name, [code, json]]) => ({
    name,
    code,
    json,
    ends: 'returned' as const,
  })),
  {
    name: 'a text that grows as it is normalised',
    code: 'return "\\uFDFA".repeat(1e6).normalize("NFKD")',
    ends: 'outOfMemory',
  },
  {
    name: 'keys without an end',
    code: 'return new Proxy({}, { ownKeys: () => Array.from({ length: 1e6 }, (_, i) => "k" + i) })',
    limits: { memoryMb },
    ends: 'outOfMemory',
  },
];
