import type { Attack } from './attack.ts';

/** Code that does not stop by itself. Some of it is in native loops that no interrupt reaches. */
const limits = { cpuMs: 40 };
const endless: Record<string, string> = {
  'a while loop': 'while (true) {}',
  'a for loop': 'for (;;);',
  'a loop that catches everything': 'for (;;) { try { for (;;); } catch {} }',
  'a loop in finally': 'try { for (;;); } finally { for (;;); }',
  microtasks: 'const f = () => Promise.resolve().then(f); await f();',
  awaits: 'for (;;) await null;',
  queueMicrotask: 'const f = () => queueMicrotask(f); f(); await new Promise(() => {});',
  'a thenable that never ends': 'await { then(resolve) { resolve(this) } };',
  'a generator': 'function* g() { for (;;) yield 1; } for (const x of g());',
  'an async generator': 'async function* g() { for (;;) yield 1; } for await (const x of g());',
  'a getter': 'const o = { get a() { return this.a0 } , get a0() { for (;;); } }; o.a',
  'a proxy trap': 'const p = new Proxy({}, { get() { for (;;); } }); p.x',
  'toString of a result': 'return { toJSON() { for (;;); } }',
  'toString of an input': 'await tools.a.b({ toJSON() { for (;;); } })',
  'a getter of an input': 'await tools.a.b({ get x() { for (;;); } })',
  'a message of an error': 'throw Object.defineProperty(new Error(), "message", { get() { for (;;); } })',
  'a logged value': 'console.log({ get x() { for (;;); } })',
  'a sort comparison': '[3, 2, 1].sort(() => { for (;;); })',
  'a replace callback': '"a".replace(/a/, () => { for (;;); })',
  'a static block': 'class A { static { for (;;); } }',
  'a regular expression that backtracks': '/^(a+)+$/.test("a".repeat(40) + "b")',
  'a regular expression with lookahead': '/^(?=(a+)+b)a*$/.test("a".repeat(40))',
  'a join of a huge length': 'Array.prototype.join.call({ length: 2 ** 32 - 1 })',
  'a sparse reverse': 'const a = []; a.length = 2 ** 32 - 2; a.reverse()',
  'a huge lastIndexOf': 'Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)',
  'a huge indexOf': 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
  'a huge copyWithin': 'Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)',
  'a huge includes': 'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)',
  'a bigint power': 'let x = 3n; for (;;) x = (x * x) % (2n ** 60000n - 1n)',
  'a timer callback': 'setTimeout(() => { for (;;); }, 0); await sleep(1e9)',
  'an abort listener':
    'const c = new AbortController(); c.signal.addEventListener("abort", () => { for (;;); }); c.abort()',
};

export const loops: Attack[] = Object.entries(endless).map(([name, code]) => ({
  name,
  code,
  limits,
  ends: 'timedOut',
}));
