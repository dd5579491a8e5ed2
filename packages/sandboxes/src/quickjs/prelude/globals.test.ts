import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtFolder } from '../../../test/built-folder.ts';
import { outcomeOf } from '../../sandbox.suite.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from '../sandbox.ts';

let sandbox: QuickJsSandbox;
beforeAll(async () => {
  sandbox = await createQuickJsSandbox({ folder: builtFolder });
});
afterAll(() => sandbox.close());

const returns: Record<string, [code: string, value: unknown]> = {
  'a date': ['new Date(0)', '1970-01-01T00:00:00.000Z'],
  'an invalid date': ['[new Date(NaN)]', [null]],
  'a map with string keys': ['new Map([["a", 1], ["b", new Map()]])', { a: 1, b: {} }],
  'a map with other keys': [
    'new Map([[1, "a"], [{ k: 2 }, "b"]])',
    [
      [1, 'a'],
      [{ k: 2 }, 'b'],
    ],
  ],
  'a set': ['new Set([1, "a", 1])', [1, 'a']],
  'a bigint': ['[12345678901234567890n]', ['12345678901234567890']],
  undefined: ['undefined', null],
  'undefined inside': ['[undefined, { a: undefined, b: 1 }]', [null, { b: 1 }]],
  'numbers that JSON lacks': ['[NaN, Infinity, -Infinity, -0]', ['NaN', 'Infinity', '-Infinity', 0]],
  bytes: ['new Uint8Array([1, 2, 255])', { type: 'bytes', base64: 'AQL/' }],
  'an array buffer': ['new Uint8Array([1]).buffer', { type: 'bytes', base64: 'AQ==' }],
  'a float array': ['new Float32Array([1.5, NaN])', [1.5, 'NaN']],
  'an error': [
    '[Object.assign(new TypeError("m"), { code: 7 })]',
    [{ name: 'TypeError', message: 'm', code: 7 }],
  ],
  'a regular expression': ['/a+/g', '/a+/g'],
  'a URL': ['new URL("http://a.b/c?d=1")', 'http://a.b/c?d=1'],
  'a class instance': ['[new (class A { x = 1; get y() { return 2 } f() {} })()]', [{ x: 1 }]],
  'a shared object twice': ['(() => { const o = { a: 1 }; return [o, o] })()', [{ a: 1 }, { a: 1 }]],
  'a sparse array': ['[1, , 3]', [1, null, 3]],
  'a boxed value': ['[Object(1), Object("a"), Object(5n)]', [1, 'a', '5']],
  'iterators, which may be generators': [
    '[(function* () { yield 1; yield 2 })(), "aXb".matchAll(/X/g), new Map([["a", 1]]).keys(), [1].values().map((x) => x + 1)]',
    [[1, 2], [['X']], ['a'], [2]],
  ],
  'an error and what it came from': [
    '[new Error("a", { cause: new TypeError("b") }), new AggregateError([new Error("c")], "d")]',
    [
      { name: 'Error', message: 'a', cause: { name: 'TypeError', message: 'b' } },
      { name: 'AggregateError', message: 'd', errors: [{ name: 'Error', message: 'c' }] },
    ],
  ],
  'an instance that has accessors only': ['new (class A { #x = 1; get x() { return this.#x } })()', { x: 1 }],
  'a shared buffer': ['new SharedArrayBuffer(1)', { type: 'bytes', base64: 'AA==' }],
};

describe('a result keeps its meaning', () => {
  test.each(Object.entries(returns))('%s', async (_name, [code, value]) => {
    expect(await valueOfCode(`return ${code}`)).toEqual(value);
  });

  test.each([
    ['a promise inside', 'return { a: [Promise.resolve(1)] }', 'result.a[0] is a promise; await it.'],
    ['a weak map', 'return { a: new WeakMap() }', 'result.a is a WeakMap, whose content cannot be read.'],
    ['a thenable inside', 'return { a: { then() {} } }', 'result.a is a promise; await it.'],
    [
      'a place with blanks',
      'return { "a b": [Promise.resolve()] }',
      'result["a b"][0] is a promise; await it.',
    ],
    [
      'what toJSON answers',
      'return { x: { toJSON: () => [Promise.resolve()] } }',
      'result.x.toJSON()[0] is a',
    ],
    [
      'an endless iterator',
      'return (function* () { for (;;) yield 1 })()',
      'result has more than 100000 items',
    ],
    ['an async iterator', 'return [(async function* () {})()]', 'result[0] is an async iterator; collect'],
    ['a registry', 'return new FinalizationRegistry(() => {})', 'result is a FinalizationRegistry, whose'],
    [
      'an instance without fields',
      'return [new (class A { #x = 1 })()]',
      'result[0] is an instance of A that',
    ],
    ['a tool that is not called', 'return tools.a.b', 'The code returns tools.a.b itself'],
    ['a circle', 'const a = { b: { c: [] } }; a.b.c[0] = a; return a', 'result.b.c[0] refers back'],
    ['the tools', 'return [tools]', 'The code returns tools itself'],
  ])('%s fails with a sentence', async (_name, code, sentence) => {
    const outcome = await outcomeOf(sandbox, code);
    expect(outcome).toMatchObject({ type: 'threw', error: { message: expect.stringContaining(sentence) } });
  });
});

const works: Record<string, [code: string, value: unknown]> = {
  'names that only Node or a browser has are undefined, or the same as here': [
    'global.a = 1; return [typeof module, typeof exports, typeof __dirname, a, self === globalThis]',
    ['undefined', 'undefined', 'undefined', 1, true],
  ],
  'a script that names its interpreter': ['#!/usr/bin/env node\nreturn 1', 1],
  'decorators of every kind': [
    `const seen: string[] = [];
    const see = (_value: unknown, { kind, name }: DecoratorContext) => void seen.push(kind + ' ' + String(name));
    const double = (_value: undefined, _context: ClassFieldDecoratorContext) => (value: number) => value * 2;
    @see class A { @see @double x = 4; @see m() {} @see get g() { return 1 } @see accessor a = 3; @see static s() {} }
    const a = new A(); return [a.x, a.a, ...seen.sort()]`,
    [8, 3, 'accessor a', 'class A', 'field x', 'getter g', 'method m', 'method s'],
  ],
  'accessor fields, and using': [
    'class A { static accessor x = 1; accessor #y = 2; get y() { return this.#y } }\nconst log: number[] = [];\n{ using a = { [Symbol.dispose]: () => void log.push(1) }; await using b = { [Symbol.asyncDispose]: async () => void log.push(2) } }\nreturn [A.x, new A().y, log]',
    [1, 2, [2, 1]],
  ],
  'URL parts': [
    'const u = new URL("https://me:pw@a.b:8080/p/../q?x=1&y=2#h"); return [u.host, u.pathname, u.searchParams.get("y"), u.origin, u.hash, u.username]',
    ['a.b:8080', '/q', '2', 'https://a.b:8080', '#h', 'me'],
  ],
  'URL with a base': ['return new URL("../c?d#e", "http://a/b/x/").href', 'http://a/b/c?d#e'],
  'URL setters': [
    'const u = new URL("http://a/b"); u.pathname = "/ c"; u.search = "?q=ü"; u.port = "81"; return u.href',
    'http://a:81/%20c?q=%C3%BC',
  ],
  'URL.searchParams writes back': [
    'const u = new URL("http://a/"); u.searchParams.append("a b", "c&d"); u.searchParams.set("e", 1); return String(u)',
    'http://a/?a+b=c%26d&e=1',
  ],
  'URL.canParse and URL.parse': [
    'return [URL.canParse("nope"), URL.parse("nope"), URL.parse("a:b").protocol]',
    [false, null, 'a:'],
  ],
  'a wrong URL': [
    'try { new URL("nope") } catch (e) { return [e.name, e.message] }',
    ['TypeError', 'Invalid URL: nope'],
  ],
  'URLSearchParams from anything': [
    'return [new URLSearchParams({ a: 1, b: "x y" }), new URLSearchParams([["c", "1"], ["c", "2"]]), new URLSearchParams("?d=%zz&e=%20")].map(String)',
    ['a=1&b=x+y', 'c=1&c=2', 'd=%25zz&e=+'],
  ],
  'URLSearchParams methods': [
    'const p = new URLSearchParams("b=2&a=1&b=3"); p.sort(); p.delete("b", "2"); return [[...p], p.getAll("b"), p.has("a"), p.size, [...p.keys()]]',
    [
      [
        ['a', '1'],
        ['b', '3'],
      ],
      ['3'],
      true,
      2,
      ['a', 'b'],
    ],
  ],
  'text encoding': [
    'return [...new TextEncoder().encode("hé€😀")]',
    [104, 195, 169, 226, 130, 172, 240, 159, 152, 128],
  ],
  'text decoding': ['return new TextDecoder().decode(new Uint8Array([226, 130, 172]))', '€'],
  'text decoding in pieces': [
    'const d = new TextDecoder(); return d.decode(new Uint8Array([226, 130]), { stream: true }) + d.decode(new Uint8Array([172]))',
    '€',
  ],
  'text decoding of other encodings': [
    'return [new TextDecoder("utf-16le").decode(new Uint8Array([97, 0])), new TextDecoder("latin1").decode(new Uint8Array([233]))]',
    ['a', 'é'],
  ],
  'a pair of UTF-16 units in two pieces, by any name of the encoding': [
    'const d = new TextDecoder("UTF-16"); return [d.encoding, d.decode(new Uint8Array([0x3d, 0xd8]), { stream: true }) + d.decode(new Uint8Array([0, 0xde]))]',
    ['utf-16le', '😀'],
  ],
  'a mark of the byte order, which is one only at the beginning': [
    'const d = new TextDecoder(), b = new Uint8Array([239, 187, 191, 97]); return [d.decode(b, { stream: true }), d.decode(b)]',
    ['a', '\ufeffa'],
  ],
  'long texts there and back': [
    'const t = "€😀x".repeat(1e5); return new TextDecoder().decode(new TextEncoder().encode(t)) === t',
    true,
  ],
  'a long query there and back': [
    'const q = Array.from({ length: 3e4 }, (_, i) => "key" + i + "=%20v").join("&"); const p = new URLSearchParams("?" + q); return [p.size, p.get("key29999"), String(p) === q.replaceAll("%20", "+")]',
    [30_000, ' v', true],
  ],
  'undefined as a parameter': ['return String(new URLSearchParams({ a: undefined }))', 'a=undefined'],
  'wrong bytes': [
    'try { new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255])) } catch (e) { return e.name }',
    'TypeError',
  ],
  'a clone': [
    'const o = { d: new Date(0), m: new Map([["a", new Set([1])]]) }; o.self = o; const c = structuredClone(o); return [c !== o, c.self === c, c.d.getTime(), c.m.get("a").has(1)]',
    [true, true, 0, true],
  ],
  'a clone of what looks like a prototype, and of an error': [
    'const c = structuredClone(JSON.parse(`{"__proto__":{"admin":true}}`)); const e = structuredClone(new RangeError("x", { cause: 1 })); return [c.admin === undefined, Object.keys(c), e instanceof RangeError, e.cause]',
    [true, ['__proto__'], true, 1],
  ],
  'a clone of a function': ['try { structuredClone(() => 1) } catch (e) { return e.name }', 'DataCloneError'],
  'an aborted signal': [
    'const c = new AbortController(); const seen = []; c.signal.addEventListener("abort", () => seen.push("a")); c.signal.onabort = () => seen.push("b"); c.abort(); return [seen, c.signal.aborted, c.signal.reason.name]',
    [['b', 'a'], true, 'AbortError'],
  ],
  'AbortSignal.any and throwIfAborted': [
    'const s = AbortSignal.any([AbortSignal.abort("x")]); try { s.throwIfAborted() } catch (e) { return e }',
    'x',
  ],
  'atob and btoa': ['return [btoa("hé"), atob("aGk=")]', ['aOk=', 'hi']],
  'random values': [
    'return [crypto.getRandomValues(new Uint32Array(4)).length, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/.test(crypto.randomUUID())]',
    [4, true],
  ],
  'numbers in a locale': [
    'return [(1234567.891).toLocaleString(), (0.5).toLocaleString("de-DE", { style: "percent" }), (12n).toLocaleString()]',
    ['1,234,567.891', '50\u00a0%', '12'],
  ],
  'Intl.NumberFormat': [
    'return new Intl.NumberFormat("en-US", { style: "currency", currency: "EUR" }).format(1234.5)',
    '€1,234.50',
  ],
  'dates in a locale': [
    'const d = new Date(Date.UTC(2026, 0, 2, 15, 4, 5)); return [d.toLocaleDateString(), d.toLocaleTimeString("en-GB"), d.toLocaleDateString("en-US", { month: "long", day: "numeric" })]',
    ['1/2/2026', '15:04:05', 'January 2'],
  ],
  'Intl.DateTimeFormat with a zone': [
    'return new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", timeStyle: "short" }).format(new Date(0))',
    '01:00',
  ],
  'the zone is UTC': [
    'return [new Date(0).getHours(), new Intl.DateTimeFormat().resolvedOptions().timeZone]',
    [0, 'UTC'],
  ],
  'methods of Intl that are handed on, and classes without new': [
    'const { format } = Intl.DateTimeFormat("en-US"); return [[1.5, 2].map(new Intl.NumberFormat("de").format), format(new Date(0)), new Intl.PluralRules("en").select(1)]',
    [['1,5', '2'], '1/1/1970', 'one'],
  ],
  'the order of a language': [
    'return [["b", "a10", "a9", "Ä"].sort(new Intl.Collator("de", { numeric: true }).compare), "a".localeCompare("B"), "a".localeCompare("A", "en", { sensitivity: "base" })]',
    [['Ä', 'a9', 'a10', 'b'], -1, 0],
  ],
  'a timer with arguments': ['return await new Promise((done) => setTimeout(done, 5, "x"))', 'x'],
  'an interval': [
    'let n = 0; await new Promise((done) => { const i = setInterval(() => { if (++n === 3) { clearInterval(i); done() } }, 5) }); return n',
    3,
  ],
  'a microtask': [
    'const seen = []; queueMicrotask(() => seen.push(2)); seen.push(1); await null; return seen',
    [1, 2],
  ],
  'a function that is returned is called': ['return async () => 5', 5],
  'a function is given the tools': ['async (tools) => (await tools.a.b({})).echo', 'a.b'],
  'a function may take the tools out of its argument': [
    'async ({ tools }) => (await tools.a.b({})).echo',
    'a.b',
  ],
  'the last expression': ['const r = await tools.a.b({});\n// what came of it\nr.echo', 'a.b'],
  'the last expression on a line with others': ['const a = 1; const b = 2; a + b;', 3],
  'a call of main': [
    'async function main() { return (await tools.a.b({})).echo }\nmain().catch(console.error)',
    'a.b',
  ],
  'a main that is not called': ['const a = 5;\nasync function main() { return a }', 5],
  'a function that is left over is not called': [
    'let n = 1;\nif (n) n = 2;\nfunction f() { return 3 }',
    null,
  ],
  'one that is called elsewhere is not called again': [
    'let n = 0;\nfunction f() { n++ }\nf();\nif (n) return n',
    1,
  ],
  'a named export': ['export async function run() { return 9 }', 9],
  'an exported value': ['export const result = { a: 1 };', { a: 1 }],
  'an export by another name': ['const x = async () => 4;\nexport { x as default };', 4],
  'all of several exports': ['export const a = 1, b = 2;\nexport const c = 3;', { a: 1, b: 2, c: 3 }],
  'two fences': ['First:\n```ts\nconst a = 1;\n```\nThen:\n```ts\nreturn a + 1\n```', 2],
  'a call that cannot be made rejects': [
    'return [await tools.a.b({ p: Promise.resolve() }).catch((e) => e.message), (await Promise.allSettled(Array.from({ length: 2100 }, () => tools.a.b()))).filter(({ status }) => status === "rejected").length]',
    ['input.p is a promise; await it.', 100],
  ],
  'a stack of the code alone, with a head': [
    'function f() { throw new TypeError("bad") }\ntry { f() } catch (e) { return e.stack.split("\\n").map((line) => line.trim()) }',
    ['TypeError: bad', 'at f (code.ts:1:26)', 'at <anonymous> (code.ts:2:7)'],
  ],
  'awaiting tools is harmless': ['const t = await tools.a; return typeof t', 'function'],
  'a path with dots': ['return await tools["a.b"].c({})', { echo: 'a.b.c' }],
};

describe('the platform', () => {
  test.each(Object.entries(works))('%s', async (_name, [code, value]) => {
    expect(await valueOfCode(code)).toEqual(value);
  });
});

describe('an error says what to do', () => {
  test.each([
    ['fetch("http://a")', 'fetch is not available in the sandbox: the sandbox has no network. Call a tool'],
    ['require("fs")', 'require is not available in the sandbox: there are no modules'],
    ['process.env.HOME', 'process is not available in the sandbox'],
    ['await import("fs")', 'import() is not available in the sandbox'],
    ['Object.keys(tools)', 'Use await tools.discover({ query })'],
    ['for (const name in tools.a) return name', 'Use await tools.discover({ query })'],
    ['for (const name of tools.a) return name', 'Use await tools.discover({ query })'],
    ['return { ...tools }', 'Use await tools.discover({ query })'],
    ['return [...tools]', 'Use await tools.discover({ query })'],
    ['return JSON.stringify(tools)', 'Use await tools.discover({ query })'],
    ['return JSON.stringify({ nested: [tools.a.b] })', 'Use await tools.discover({ query })'],
    ['"x" in tools', 'Use await tools.discover({ query })'],
    ['for (const k in tools);', 'Use await tools.discover({ query })'],
    ['tools.a.b({}, {})', 'tools.a.b takes one argument, an object; got 2.'],
    ['tools.a = 1', 'tools cannot be changed.'],
    ['new Intl.ListFormat("en")', 'Intl.ListFormat is not available in the sandbox'],
    ['await axios.get("http://a")', 'axios is not available in the sandbox'],
    ['await axios("http://a")', 'axios is not available in the sandbox'],
    ['module.exports = 1', 'module is not defined. There are no modules: return the result'],
    ['exports.main = () => 1', 'exports is not defined. There are no modules'],
    ['return __dirname', '__dirname is not defined. There are no files here.'],
    ['return Temporal.Now', 'Temporal is not defined. Use Date'],
    ['_.groupBy([])', '_ is not defined. There are no packages'],
    ['return Buffer.from("a")', 'new TextEncoder().encode(text)'],
    [
      'return tools.a.b',
      'The code returns tools.a.b itself, which is not a value. Call it: await tools.a.b(',
    ],
    ['return { a: [tools.a.b] }', 'The code returns tools.a.b itself'],
    ['const a = []; a.length = 2 ** 32 - 1; return a', 'result has 4294967295 items'],
    ['new Headers()', 'Headers is not available in the sandbox'],
    ['return { env: process, w: 1 }', 'process is not available in the sandbox: the code runs outside any'],
    ['return [localStorage]', 'localStorage is not available in the sandbox: nothing is kept between runs'],
    ['return new Map([[window, 1]])', 'window is not available in the sandbox: there is no page'],
    ['return document', 'document is not available in the sandbox: there is no page'],
    ['await tools.a.b({ env: { all: process } })', 'process is not available in the sandbox'],
    ['await tools.a.b(Deno)', 'Deno is not available in the sandbox'],
    ['WeakMap.prototype.get = () => undefined; return [Bun]', 'Bun is not available in the sandbox'],
    ['crypto.subtle.digest()', 'crypto.subtle is not available in the sandbox'],
    ['await tools.a.b(new Map([[{}, Promise.resolve()]]))', 'is a promise; await it.'],
  ])('%s', async (code, message) => {
    expect(await outcomeOf(sandbox, code)).toMatchObject({
      type: 'threw',
      error: { message: expect.stringContaining(message) },
    });
  });

  test.each(['ReferenceError', 'Array', 'String'])('even if the code deleted %s', async (name) => {
    const outcome = await outcomeOf(sandbox, `globalThis.${name} = undefined; throw new Error("boom")`);
    expect(outcome).toMatchObject({ type: 'threw', error: { name: 'Error', message: 'boom', line: 1 } });
  });

  test('about a missing global, even if the code deleted the class of such errors', async () => {
    const outcome = await outcomeOf(sandbox, 'globalThis.ReferenceError = undefined; fetch("http://a")');
    const message = expect.stringContaining('fetch is not available in the sandbox');
    expect(outcome).toMatchObject({ type: 'threw', error: { name: 'ReferenceError', message } });
  });

  test('with its line, column and the lines around it, and without frames of the sandbox', async () => {
    const code =
      'const a: string[] = [];\nfunction inner(x: { y?: { z: number } }) {\n  return x.y.z;\n}\nreturn inner({});';
    expect(await outcomeOf(sandbox, code)).toMatchObject({
      type: 'threw',
      error: {
        name: 'TypeError',
        reason: 'thrown',
        line: 3,
        excerpt: expect.stringMatching(
          /^2 \| function inner.*\n3 \| {3}return x\.y\.z;\n {2}\| +\^\n4 \| \}$/,
        ),
        frames: [
          { function: 'inner', line: 3, column: expect.any(Number) },
          { line: 5, column: expect.any(Number) },
        ],
      },
    });
  });

  test('on the first line, which begins with the head of a function', async () => {
    expect(await outcomeOf(sandbox, 'throw new Error("x")')).toMatchObject({
      error: { line: 1, column: 11 },
    });
    expect(await outcomeOf(sandbox, 'null.x')).toMatchObject({ error: { line: 1, column: 1 } });
  });

  test('about a deep input, and behind other statements', async () => {
    const deep =
      'const a = 1;\nawait tools.a.b({ p: { q: { r: { s: [{ t: Promise.resolve(1) }] } } } });\nreturn 1';
    expect(await outcomeOf(sandbox, deep)).toMatchObject({ error: { name: 'EncodeError', line: 2 } });
    const missing = deep.replace('Promise.resolve(1)', 'process');
    expect(await outcomeOf(sandbox, missing)).toMatchObject({ error: { name: 'ReferenceError', line: 2 } });
    expect(await outcomeOf(sandbox, 'const a = null; a.b()')).toMatchObject({
      error: { line: 1, column: 17 },
    });
  });

  test.each([
    ['import()', 'const a = 1;\nconst fs = await import("fs");', 2, 18],
    ['the result of statements', 'const a = { p: Promise.resolve(1) };\n  return a;', 2, 10],
    ['the result that is the last statement', 'const a = new WeakMap();\na', 2, 1],
    ['the result of a function', 'async () => {\n  const a = {};\n  return (a.a = a);\n}', 3, 11],
    ['the result of main', 'async function main() {\n  return new WeakMap();\n}', 2, 10],
    ['a result that has what is missing', 'const a = 1;\nreturn { a: [process] };', 2, 8],
    ['a result beyond the limit', 'const a = "x".repeat(2e6);\nreturn a', 2, 8],
    ['a result after an enum', 'enum A { x }\n\nreturn [A.x, Symbol.iterator, new WeakSet()];', 3, 8],
    ['the await of what never settles', 'const a = 1;\n  await new Promise(() => {});\nreturn a', 2, 3],
    [
      'the one promise that may not settle',
      'const f = async () => {\n  await new Promise(() => {});\n};\nawait f()',
      2,
      9,
    ],
    ['a result that never settles', 'const a = 1;\nreturn { then() {} };', 2, 8],
  ])('with the place of %s, where no line of the code runs', async (_name, code, line, column) => {
    expect(await outcomeOf(sandbox, code)).toMatchObject({
      type: 'threw',
      error: { line, column, excerpt: expect.stringContaining(`${line} | `) },
    });
  });

  test('without a position if several are possible', async () => {
    const code = 'if (Math.random() > 2) return 1;\nreturn new WeakMap()';
    const outcome = await outcomeOf(sandbox, code);
    expect(outcome).toMatchObject({ error: { name: 'EncodeError' } });
    expect(outcome).not.toHaveProperty('error.line');
  });

  test('thrown in a microtask, which nothing can catch', async () => {
    const code = 'queueMicrotask(() => { throw new Error("micro") });\nawait sleep(20);\nreturn "fine"';
    expect(await outcomeOf(sandbox, code)).toMatchObject({
      type: 'threw',
      error: { reason: 'unhandled', message: 'micro', line: 1 },
    });
  });

  test('even if all objects have a toJSON', async () => {
    const code = 'Object.prototype.toJSON = () => undefined; throw new Error("x")';
    expect(await outcomeOf(sandbox, code)).toMatchObject({ type: 'threw', error: { message: 'x' } });
  });

  test('after an enum, through the source map', async () => {
    const code = 'enum Level { low, high }\nconst a: any = null;\n\n   a.foo(Level.low);';
    expect(await outcomeOf(sandbox, code)).toMatchObject({ error: { line: 4, column: 4 } });
  });

  test('an unhandled rejection and a promise that cannot settle have different errors', async () => {
    const [unhandled, unsettled] = await Promise.all([
      outcomeOf(sandbox, 'const p = Promise.reject(new Error("lost"));\nawait sleep(1e9)', {
        answer: () => new Promise(() => {}),
      }),
      outcomeOf(sandbox, 'await new Promise(() => {})'),
    ]);
    expect(unhandled).toMatchObject({
      type: 'threw',
      error: { reason: 'unhandled', message: 'lost', line: 1 },
    });
    expect(unsettled).toMatchObject({
      type: 'threw',
      error: { reason: 'unsettled', name: 'UnsettledError' },
    });
  });

  test('for a thrown value that is not an error', async () => {
    expect(await outcomeOf(sandbox, 'throw "text"')).toMatchObject({
      error: { name: 'Error', message: 'text' },
    });
    expect(await outcomeOf(sandbox, 'throw { a: 1 }')).toMatchObject({
      error: { message: 'A value that is not an error was thrown: { a: 1 }' },
    });
    expect(await outcomeOf(sandbox, 'throw new Error("a", { cause: new TypeError("b") })')).toMatchObject({
      error: { cause: { name: 'TypeError', message: 'b' } },
    });
  });
});

async function valueOfCode(code: string): Promise<unknown> {
  const outcome = await outcomeOf(sandbox, code);
  if (outcome.type !== 'returned') throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.json);
}
