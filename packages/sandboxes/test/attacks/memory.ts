import type { Attack } from './attack.ts';

/** Code that allocates all the memory it can get. It may catch the error, but must not get more memory. */
const limits = { cpuMs: 10_000, memoryMb: 12 };
const greedy: Record<string, string> = {
  'an array of arrays': 'const a = []; for (;;) a.push(new Array(1000).fill(0));',
  'kept strings': 'const a = []; for (let i = 0; ; i++) a.push("x".repeat(100000) + i);',
  'typed arrays': 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1));',
  'one large buffer': 'new ArrayBuffer(2 ** 31 - 1)',
  'a resizable buffer':
    'const b = new ArrayBuffer(8, { maxByteLength: 2 ** 30 }); b.resize(2 ** 30); return b.byteLength',
  'a map': 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i });',
  'a set of strings': 'const s = new Set(); for (let i = 0; ; i++) s.add("key" + i);',
  'an object': 'const o = {}; for (let i = 0; ; i++) o["k" + i] = i;',
  'a huge fill': 'Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1)',
  'a sparse array': 'const a = []; a[2 ** 32 - 2] = 1; a.fill(0)',
  closures: 'let f = () => 0; for (;;) { const g = f; const big = new Array(100).fill(g); f = () => big; }',
  'a linked list': 'let l = null; for (;;) l = { l, pad: [1, 2, 3] };',
  'a regular expression':
    'const a = []; for (let i = 0; ; i++) a.push(new RegExp("a{" + i + "}".repeat(1)));',
  symbols: 'const a = []; for (let i = 0; ; i++) a.push(Symbol("s".repeat(1000) + i));',
  promises: 'const a = []; for (;;) a.push(new Promise(() => {}));',
  'promise chains': 'let p = Promise.resolve(); for (;;) p = p.then(() => new Array(1000).fill(1));',
  padStart: 'const a = []; for (let i = 0; ; i++) a.push("x".padStart(1e6, "ab" + i));',
  'JSON text': 'let o = ["x".repeat(1000)]; for (;;) o = [JSON.stringify(o), JSON.stringify(o)];',
  split: 'const a = []; for (;;) a.push("x".repeat(1e5).split(""));',
  'encoded text': 'const a = []; for (;;) a.push(new TextEncoder().encode("x".repeat(1e6)));',
  'one query of many pairs': 'new URLSearchParams("a&".repeat(4e6))',
  'a text that is encoded in pieces': 'const t = "€".repeat(6e6); new TextEncoder().encode(t)',
  URLs: 'const a = []; for (let i = 0; ; i++) a.push(new URL("http://a.b/" + "x".repeat(10000) + i));',
};

/** Allocations that the engine always refuses, whatever the limit. */
const impossible: Record<string, string> = {
  'a doubled string': 'let s = "ab"; for (;;) s = s + s + "x";',
  'a float array': 'new Float64Array(2 ** 29)',
  'a bigint': 'let x = 2n; for (;;) x = x ** 2n;',
  'a huge URL': 'new URL("http://a/" + "x".repeat(4e6))',
  'a huge number in a locale': '(10n ** 50000n).toLocaleString()',
  'a huge question to Intl': 'new Intl.NumberFormat(Array(1e5).fill("en"))',
};

/** These become slower as memory fills, so the speed of the machine decides which limit they reach first. */
const slow: Record<string, string> = {
  'decoded text':
    'const a = []; const b = new Uint8Array(1e6).fill(120); for (;;) a.push(new TextDecoder().decode(b));',
  'query parameters':
    'const p = new URLSearchParams(); for (let i = 0; ; i++) p.append("x".repeat(10000) + i, i);',
  clones: 'let o = [new Array(1000).fill(1)]; for (;;) o = [structuredClone(o), structuredClone(o)];',
  'generated code':
    'const a = []; for (let i = 0; ; i++) a.push(new Function("return " + "1+".repeat(10000) + i));',
  'random bytes': 'const a = []; for (;;) a.push(crypto.getRandomValues(new Uint8Array(65536)));',
};

export const memory: Attack[] = [
  ...attacks(greedy, 'outOfMemory'),
  ...attacks(impossible, 'threw'),
  ...attacks(slow, ['outOfMemory', 'timedOut']).map((attack) => ({
    ...attack,
    limits: { ...limits, cpuMs: 300 },
  })),
  {
    name: 'a caught shortage, again and again',
    code: 'for (;;) { try { const a = []; for (;;) a.push(new Uint8Array(1e6)); } catch {} }',
    limits: { cpuMs: 100, memoryMb: 12 },
    ends: 'timedOut',
  },
  { name: 'recursion', code: 'const f = () => f() + 1; f()', ends: 'threw', message: /call stack/ },
  {
    name: 'recursion through JSON',
    code: 'let a = []; for (let i = 0; i < 3e4; i++) a = [a]; JSON.stringify(a)',
    ends: 'threw',
    message: /stack/,
  },
  {
    name: 'recursion through toString',
    code: 'const o = { toString() { return String(this) } }; String(o)',
    ends: 'threw',
    message: /stack/,
  },
  {
    name: 'recursion through a proxy',
    code: 'const h = {}; const p = new Proxy({}, h); h.get = (t, k, r) => r[k]; p.x',
    ends: 'threw',
    message: /stack/,
  },
  {
    name: 'recursion through a pattern',
    code: 'new RegExp("(".repeat(50000) + ")".repeat(50000))',
    ends: 'threw',
    limits,
  },
  { name: 'recursion through parsing', code: 'eval("[".repeat(100000))', ends: 'threw', limits },
  { name: 'recursion through a JSON parse', code: 'JSON.parse("[".repeat(1e6))', ends: 'threw', limits },
];

function attacks(scripts: Record<string, string>, ends: Attack['ends']): Attack[] {
  return Object.entries(scripts).map(([name, code]) => ({ name, code, limits, ends }));
}
