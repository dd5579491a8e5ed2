import type { Attack } from './attack.ts';

/** Code that asks for too much of the server. */
export const floods: Attack[] = [
  {
    name: 'calls that nobody awaits',
    code: 'for (;;) tools.a.b({})',
    ends: 'threw',
    message: /calls may be open at once/,
  },
  {
    name: 'caught refusals of calls',
    code: 'for (;;) { try { tools.a.b({}) } catch {} }',
    ends: 'timedOut',
    limits: { cpuMs: 300 },
  },
  {
    name: 'more calls than a run may make',
    code: 'for (;;) await tools.a.b({})',
    ends: 'threw',
    message: /may make 50 calls/,
    limits: { calls: 50 },
  },
  {
    name: 'one huge input',
    code: 'await tools.a.b({ x: "x".repeat(2e6) })',
    ends: 'threw',
    message: /bytes of JSON; 1048576 are allowed/,
  },
  {
    name: 'many large inputs',
    code: 'for (;;) tools.a.b({ x: "x".repeat(1e6) })',
    ends: 'threw',
    message: /inputs of open calls/,
  },
  {
    name: 'timers',
    code: 'for (;;) setTimeout(() => {}, 1e9)',
    ends: 'threw',
    message: /calls may be open at once/,
  },
  {
    name: 'intervals',
    code: 'for (let i = 0; ; i++) setInterval(() => {}, i)',
    ends: 'threw',
    message: /calls may be open at once/,
  },
  {
    name: 'timers that are cleared',
    code: 'for (;;) clearTimeout(setTimeout(() => {}, 1e9))',
    ends: 'threw',
    message: /may make 10000 calls/,
  },
  {
    name: 'an interval that never stops',
    code: 'setInterval(() => {}, 0); await new Promise(() => {})',
    ends: 'threw',
    message: /may make 300 calls/,
    limits: { calls: 300 },
  },
  {
    name: 'log lines',
    code: 'for (let i = 0; i < 1e5; i++) console.log("x".repeat(100)); return "done"',
    ends: 'returned',
    json: '"done"',
  },
  {
    name: 'one huge log line',
    code: 'console.log("x".repeat(5e6)); return "done"',
    ends: 'returned',
    json: '"done"',
  },
  {
    name: 'a log of a large structure',
    code: 'console.log(Array.from({ length: 1e5 }, (_, i) => ({ i }))); return "done"',
    ends: 'returned',
    json: '"done"',
  },
  {
    name: 'a huge result',
    code: 'return "x".repeat(2e6)',
    ends: 'threw',
    message: /result has 2000002 bytes of JSON; 1048576 are allowed/,
  },
  {
    name: 'a wide result',
    code: 'return Array.from({ length: 5e5 }, (_, i) => i)',
    ends: 'threw',
    message: /result has/,
  },
  {
    name: 'a deep result',
    code: 'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o',
    ends: 'threw',
    message: /nested more than 200 levels/,
  },
  {
    name: 'a circular result',
    code: 'const o = { a: {} }; o.a.b = o; return o',
    ends: 'threw',
    message: /result\.a\.b refers back/,
  },
  {
    name: 'a result that grows while it is read',
    code: 'let n = 0; const h = { ownKeys: () => ["k" + n++], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }), get: () => new Proxy({}, h) }; return new Proxy({}, h)',
    ends: 'threw',
    message: /nested more than/,
  },
  {
    name: 'a huge error message',
    code: 'throw new Error("x".repeat(5e6))',
    ends: 'threw',
    message: /^x{10000}$/,
  },
  {
    name: 'a huge error name',
    code: 'const e = new Error("m"); e.name = "n".repeat(5e6); throw e',
    ends: 'threw',
    message: /^m$/,
  },
  {
    name: 'unhandled rejections',
    code: 'for (let i = 0; i < 1e4; i++) Promise.reject(new Error("r" + i)); await sleep(1)',
    ends: 'threw',
    message: /^r0$/,
  },
  {
    name: 'many results of formatting',
    code: 'for (let i = 0; i < 3e3; i++) (i).toLocaleString("en", { minimumFractionDigits: i % 20 }); return "done"',
    ends: 'returned',
    json: '"done"',
  },
];
