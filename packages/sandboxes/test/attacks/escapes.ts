import type { Attack } from './attack.ts';

/** Escapes that worked in other sandboxes. Each returns what it reached, which must not include anything of the host. */
const nothing: Record<string, [code: string, json: string]> = {
  'the constructor of a function': [
    'return typeof (() => {}).constructor("return this.process?.env")',
    '"function"',
  ],
  'the global object through Function': [
    'const g = new Function("return this")(); return ["require", "module", "global", "Deno"].map((k) => typeof g[k] === "function" ? "refuses" : typeof g[k])',
    '["refuses","undefined","object","refuses"]',
  ],
  'the host object': ['return typeof globalThis.__executor', '"undefined"'],
  'a host object that is put back': [
    'globalThis.__executor = { call: () => "x", settle: () => 0 }; return (await tools.a.b({})).echo',
    '"a.b"',
  ],
  'indirect eval': ['return (0, eval)("typeof __executor")', '"undefined"'],
  'the caller of a function': [
    'function f() { try { return String(f.caller) } catch (e) { return e.name } } return f()',
    '"TypeError"',
  ],
  'arguments.callee': [
    'function f() { try { return typeof arguments.callee } catch (e) { return e.name } } return f()',
    '"TypeError"',
  ],
  'frames of an error': [
    'Error.prepareStackTrace = (_, frames) => frames; const e = new Error(); return Array.isArray(e.stack) ? e.stack.some((f) => f.getThis?.()) : false',
    'false',
  ],
  'the functions of frames': [
    'Error.prepareStackTrace = (_, frames) => frames; const p = Object.getPrototypeOf(new Error().stack[0]); return [typeof p.getFunction, typeof p.getThis]',
    '["undefined","undefined"]',
  ],
  'the bridge, by the frames of a refused call': [
    'const frames = []; Error.prepareStackTrace = (_, all) => void frames.push(...all); try { for (;;) setTimeout(() => {}, 1e9) } catch (e) { e.stack } return frames.flatMap((f) => f.getFunction?.() ?? []).length',
    '0',
  ],
  'a stack with paths': [
    'try { null.x } catch (e) { return /node_modules|\\/packages\\/|file:/.test(e.stack) }',
    'false',
  ],
  'a stack from the host': [
    'try { new URL("::") } catch (e) { return /node|internal|\\//.test(e.stack.replace(/executor:prelude|code\\.ts/g, "")) }',
    'false',
  ],
  WebAssembly: ['return typeof WebAssembly', '"undefined"'],
  'SharedArrayBuffer and Atomics.wait': [
    'try { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1e9); return "waited" } catch (e) { return "refused" }',
    '"refused"',
  ],
  'a species constructor': [
    'class P extends Promise { static get [Symbol.species]() { return Object } } return typeof tools.a.b({}).constructor',
    '"function"',
  ],
  'a poisoned prototype': [
    'Object.prototype.then = function (f) { f("stolen") }; Object.prototype.path = "x.y"; const r = await Promise.resolve(1); delete Object.prototype.then; return r',
    '1',
  ],
  'a poisoned JSON.stringify': ['JSON.stringify = () => "[[[forged"; return { a: 1 }', '{"a":1}'],
  'a poisoned JSON.parse': [
    'JSON.parse = () => ({ forged: true }); return await tools.a.b({})',
    '{"echo":"a.b"}',
  ],
  'a poisoned getter of all descriptors': [
    'Object.prototype.get = () => 1; try { await tools.a.b({ f: 1n }); new URL("::") } catch (e) { return e.name }',
    '"TypeError"',
  ],
  'a poisoned Map': [
    'Map.prototype.get = () => ({ resolve() {} }); return await tools.a.b({})',
    '{"echo":"a.b"}',
  ],
  'a poisoned Promise': [
    'const P = Promise; globalThis.Promise = class { then() {} }; P.prototype.then = () => {}; return await tools.a.b({})',
    '{"echo":"a.b"}',
  ],
  'a poisoned array': [
    'Array.prototype.push = () => { throw 1 }; Array.prototype.includes = () => false; return 7',
    '7',
  ],
  'a poisoned Reflect': [
    'Reflect.apply = () => "x"; Object.keys = () => []; return { a: await tools.a.b({ q: 1 }) }',
    '{"a":{"echo":"a.b"}}',
  ],
  'a forged path': ['return (await tools["a\\nb\\t\\u0000c"]({})).echo.length', '6'],
  'a path that is a prototype': [
    'return typeof tools.__proto__ + typeof tools.constructor',
    '"undefinedundefined"',
  ],
  'a huge path': ['try { await tools["x".repeat(5000)]({}) } catch (e) { return e.name }', '"LimitError"'],
  'a proxy as input': [
    'return (await tools.a.b(new Proxy({ q: 1 }, { ownKeys: () => ["q"] }))).echo',
    '"a.b"',
  ],
  'a revoked proxy as input': [
    'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); try { await tools.a.b(proxy) } catch (e) { return e.name }',
    '"TypeError"',
  ],
  'a getter that throws as input': [
    'try { await tools.a.b({ get q() { throw new EvalError("mine") } }) } catch (e) { return e.name }',
    '"EvalError"',
  ],
  'an input with toJSON that answers itself': [
    'const o = { toJSON() { return o } }; try { await tools.a.b(o) } catch (e) { return e.name }',
    '"EncodeError"',
  ],
  'an input that names its prototype': [
    'return (await tools.a.b(JSON.parse(`{"__proto__": {"x": 1}}`))).echo',
    '"a.b"',
  ],
  'a result with a prototype key': [
    'return JSON.parse(`{"__proto__": {"polluted": true}}`)',
    '{"__proto__":{"polluted":true}}',
  ],
  'a thrown proxy': [
    'try { throw new Proxy({}, { get() { throw 1 } }) } catch { return "caught" }',
    '"caught"',
  ],
  'a symbol as input': [
    'try { await tools.a.b(Symbol("x")); return "sent" } catch (e) { return e.name }',
    '"sent"',
  ],
  'vm2: a host error through a stack overflow': [
    'const f = () => { try { f() } catch (e) { return e } }; const e = f(); return e === undefined || e.constructor.constructor("return typeof process.mainModule")',
    'true',
  ],
  'vm2: Symbol.for("nodejs.util.inspect.custom")': [
    'const o = { [Symbol.for("nodejs.util.inspect.custom")]: (d, o, inspect) => inspect.constructor("return process")() }; console.log(o); return 1',
    '1',
  ],
  'vm2: an async function that catches host rejections': [
    'const e = new Error(); e.name = Symbol(); const f = async () => e.stack; try { await f() } catch (x) { return typeof x.constructor.constructor("return process.pid") } return "none"',
    '"none"',
  ],
  'SES: the iterator of a host array': [
    'const r = await tools.a.b({}); return r.constructor === Object && [].concat(r).constructor === Array',
    'true',
  ],
  'quickjs: use after free through a sort that shrinks': [
    'const a = Array.from({ length: 100 }, (_, i) => ({ i })); a.sort((x, y) => { a.length = 0; return 1 }); return a.length >= 0',
    'true',
  ],
  'quickjs: a typed array detached in valueOf': [
    'const b = new ArrayBuffer(64); const u = new Uint8Array(b); try { u.fill({ valueOf() { b.transfer?.(0); return 1 } }) } catch {} return "alive"',
    '"alive"',
  ],
  'quickjs: a splice on a proxy with a lying length': [
    'const a = new Proxy([1, 2, 3], { get: (t, k) => (k === "length" ? 2 ** 31 : t[k]) }); try { Array.prototype.slice.call(a, 0, 5) } catch {} return "alive"',
    '"alive"',
  ],
  'quickjs: a generator that is resumed while it runs': [
    'let it; function* g() { try { it.next() } catch (e) { yield e.name } } it = g(); return it.next().value',
    '"TypeError"',
  ],
  'quickjs: a weak reference brought back in a finalizer': [
    'const r = new FinalizationRegistry(() => {}); for (let i = 0; i < 1000; i++) r.register({}, i); return "alive"',
    '"alive"',
  ],
  'bytecode through Function.prototype.toString': [
    'return /native code/.test(Function.prototype.toString.call(Math.max))',
    'true',
  ],
  'the date of the host': ['return Date.now()', '1000'],
  'the zone of the host': ['return new Date().getTimezoneOffset()', '0'],
  'performance as a clock': [
    'const a = performance.now(); for (let i = 0; i < 1e5; i++); return performance.now() - a',
    '0',
  ],
};

export const escapes: Attack[] = [
  ...Object.entries(nothing).map(([name, [code, json]]) => ({ name, code, json, ends: 'returned' as const })),
  {
    name: 'an import of a module',
    code: 'await import("node:fs")',
    ends: 'threw',
    message: /import\(\) is not available/,
  },
  {
    name: 'an import of a file',
    code: 'await import("/etc/passwd")',
    ends: 'threw',
    message: /import\(\) is not available/,
  },
  {
    name: 'a require',
    code: 'require("child_process").execSync("id")',
    ends: 'threw',
    message: /require is not available/,
  },
  { name: 'the environment', code: 'return process.env', ends: 'threw', message: /process is not available/ },
  {
    name: 'a fetch',
    code: 'await fetch("http://169.254.169.254/")',
    ends: 'threw',
    message: /fetch is not available/,
  },
];
