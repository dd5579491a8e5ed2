import { createTypeChecker } from '@executor/typecheck';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtFolder } from '../../../../typecheck/test/built-folder.ts';
import { TestEngine } from '../../../test/test-engine.ts';
import { samePrintThread, ToolPrinter } from '../../catalog/signature/tool-printer.ts';
import type { TypeChecker } from '../../ports/type-checker.ts';
import { namedPaths } from './named-paths.ts';
import { toolDeclarations, withoutPrefixes } from './tool-declarations.ts';

const checker = createTypeChecker({ folder: builtFolder, deadlineMs: 20_000 });
let checks = 0;
let host: TestEngine;

beforeAll(async () => {
  const typeChecker: TypeChecker = {
    check(request) {
      checks += 1;
      return checker.check(request);
    },
  };
  host = await TestEngine.start({ typeChecker });
});

afterAll(async () => {
  await host.close();
  checker.close();
});

const signature = [
  'tools.notes.add: (input: {',
  '  text: string;',
  '  tag?: string; // default "none"',
  '}) => Promise<unknown>;',
];

describe('Code whose calls cannot work does not run:', () => {
  test('a wrong path is rejected with the nearest one, before any call', async () => {
    const run = await host.run('await tools.notes.list();\nreturn await tools.notes.ad({ text: "x" })');
    expect(run).toMatchObject({
      status: 'failed',
      error: {
        code: 'typecheck',
        message: ['There is no tool notes.ad. Did you mean tools.notes.add?', ...signature].join('\n'),
        line: 2,
        column: 26,
        excerpt: expect.stringContaining('2 | return await tools.notes.ad('),
      },
    });
    expect(host.notes.received).toEqual([]);
    expect(await host.story(run.id)).toEqual(['execution.created', 'execution.failed']);
    expect(await host.get(run.id)).toMatchObject({ status: 'failed', error: { code: 'typecheck' } });
  });

  test('a wrong input is rejected with the signature', async () => {
    const run = await host.run('return await tools.notes.add({ txt: "x" })');
    expect(run.error).toMatchObject({ code: 'typecheck', line: 1, column: 32 });
    expect(run.error?.message).toContain('input.txt is unknown; did you mean text?');
    expect(run.error?.message.endsWith(signature.join('\n'))).toBe(true);
    expect(run.error?.details).toMatchObject({ problems: [{ path: 'notes.add', line: 1, column: 32 }] });
  });

  test.each([
    ['const n = tools.notes; await n.ad({ text: "x" })', 'There is no tool notes.ad.'],
    [
      'const { notes } = tools; const { add: put } = notes; await put({ text: ["x"] })',
      'notes.add: input.text: ',
    ],
  ])('a tool in a variable is checked too: %s', async (code, message) => {
    const { error } = await host.run(code);
    expect(error).toMatchObject({ code: 'typecheck', message: expect.stringContaining(message) });
    expect(host.notes.received).toEqual([]);
  });

  test('a promise that is used as its value is rejected with its line', async () => {
    const run = await host.run('const notes = tools.notes.list();\nreturn notes.length + 1');
    expect(run.error).toMatchObject({
      code: 'typecheck',
      line: 2,
      message: 'notes is a promise, so it has no length. Await it: (await notes).length',
    });
    expect(host.notes.received).toEqual([]);
  });

  test('several mistakes are reported at once', async () => {
    const { error } = await host.run(
      'await tools.notes.add({});\nawait tools.notes.add({ text: 1 });\nawait tools.notes.nothing.like({})',
    );
    expect(error?.details?.problems).toHaveLength(3);
    expect(error?.message).toContain('Line 2: notes.add: ');
    expect(error?.message).toContain('Line 3: There is no tool notes.nothing.like.');
    expect(error?.message.length).toBeLessThan(5_000);
  });

  test.each([
    ['a fence', 'Here it is:\n```ts\nreturn await tools.notes.ad({})\n```\n', 3, 26],
    ['an arrow', 'async () => { return tools.notes.ad({}) }', 1, 34],
    ['a function', 'async function main() {\n  return tools.notes.ad({})\n}', 2, 22],
    ['a module', 'export default async () => {\n  return tools.notes.ad({})\n}', 2, 22],
    ['an expression', 'tools.notes.ad({})', 1, 13],
    [
      'types',
      'enum A { b }\ninterface C { d: string }\nconst e: C = { d: "x" };\nreturn tools.notes.ad(e)',
      4,
      20,
    ],
  ])('%s reports the position of the problem', async (_, code, line, column) => {
    expect((await host.run(code)).error).toMatchObject({ code: 'typecheck', line, column });
  });

  test('unless the request turns the check off', async () => {
    const { error } = await host.run('return await tools.notes.ad({})', { typecheck: false });
    expect(error).toMatchObject({ code: 'threw', name: 'ToolError' });
  });
});

test('A denied tool shows nothing: the call fails as denied', async () => {
  const { policies } = host.engine;
  const scope = { type: 'workspace' } as const;
  const rule = { scope, pattern: 'notes.add', conditions: [], decision: 'deny' as const };
  const { id } = await policies.create(host.owner, rule);
  try {
    const code = (input: string) =>
      `try { return await tools.notes.add(${input}) } catch (error) { return { name: error.name, message: error.message, details: error.details } }`;
    const right = await host.run(code('{ text: "x" }'));
    expect(right.result).toMatchObject({ name: 'ToolDeniedError' });
    const wrong = await host.run(code('{ text: 1, nothing: 2 }'));
    expect(wrong.result).toEqual(right.result);
  } finally {
    await policies.remove(host.owner, id);
  }
});

describe('Other code runs', () => {
  test('with diagnostics beside its result', async () => {
    const code = 'const n: number = "x";\nreturn (await tools.notes.list()).length';
    const run = await host.run(code);
    expect(run).toMatchObject({
      status: 'completed',
      result: 0,
      diagnostics: [
        { code: 2322, message: "Type 'string' is not assignable to type 'number'.", line: 1, column: 7 },
      ],
    });
    expect((await host.get(run.id)).diagnostics).toEqual(run.diagnostics);
  });

  test.each([
    ['dynamic paths', 'const name = "list"; return (await tools.notes[name]()).length'],
    [
      'other names',
      'const { list } = tools.notes; const n = tools.notes; await n.list(); return (await list()).length',
    ],
    ['a tool as a value', 'const list = tools.notes.list; return (await [list][0]({})).length'],
    ['a text that names a tool', 'await tools.notes.list(); return "tools.notes.ad({})".length - 18'],
    ['a comment that does', '// tools.notes.ad({})\nreturn (await tools.notes.list()).length'],
    [
      'a name of its own',
      'await tools.notes.list(); { const tools = { notes: { ad: (x: any) => 0 } }; return tools.notes.ad({}) }',
    ],
  ])('%s', async (_, code) => {
    const { status, result, error, diagnostics } = await host.run(code);
    expect({ status, result, error, diagnostics }).toEqual({ status: 'completed', result: 0 });
  });

  test('if it adds the source that it calls', async () => {
    const url = 'https://later.test/openapi.json';
    host.shelf.put(url, { title: 'Later', tools: [{ name: 'ping' }] });
    const code = `await tools.executor.sources.add({ url: "${url}", namespace: "later" });\nreturn await tools.later.ping({})`;
    const run = await host.run(code, { waitMs: 0 });
    const [question] = await host.asked(run.id);
    await host.answer(question?.id ?? '', { action: 'approve' });
    expect((await host.wait(run.id)).status).toBe('completed');
  });

  test('unchecked if it names no tool', async () => {
    const before = checks;
    await host.run('return 1');
    await host.run('const x: string = 1; return typeof tools');
    expect(checks).toBe(before);
  });

  test('with a note if it could not be checked', async () => {
    const typeChecker: TypeChecker = {
      check: async () => ({ type: 'skipped', reason: 'it takes too long' }),
    };
    const engine = await host.another({ typeChecker });
    const run = await engine.executions.create(host.owner, {
      code: 'return (await tools.notes.list()).length',
      waitMs: 20_000,
    });
    expect(run).toMatchObject({
      status: 'completed',
      diagnostics: [{ message: 'The types were not checked: it takes too long.' }],
    });
    await engine.worker.drain(0);
  });
});

test('Paths are found in every notation', () => {
  const code = [
    'tools.a.b({})',
    'tools\n  .c\n  .d ({})',
    'tools["e"].f?.({})',
    "const x = tools['g-h']",
    '...tools.i.j(1)',
    'tools.straße.städte["東京"]({})',
    'my.tools.k(1); mytools.l(1); tools[m].n(1); $tools.o(1)',
  ].join(';\n');
  expect(
    namedPaths(code).map(({ segments, isCalled }) => `${segments.join('.')}${isCalled ? '()' : ''}`),
  ).toEqual(['a.b()', 'c.d()', 'e.f()', 'g-h', 'i.j()', 'straße.städte.東京()']);
});

test('Paths are found through variables', () => {
  const code = [
    'const a = tools.a, other = 1',
    'const { b, c: d, ...rest } = a',
    'const { deep: { e } } = tools',
    'const r = tools.r.s({})',
    'let f = tools.f',
    'a.g({}); b({}); d["h"].i(1); r.j(); f.k(); my.a.l(); e()',
  ].join(';\n');
  const called = namedPaths(code).filter(({ isCalled }) => isCalled);
  expect(called.map(({ segments }) => segments.join('.'))).toEqual(['r.s', 'a.g', 'a.b', 'a.c.h.i']);
});

test('Messages use the type names of the document', () => {
  expect(withoutPrefixes("Type 'T0_Issue[]' is not assignable to type 'T12_SimpleUser'. T1 T2_x")).toBe(
    "Type 'Issue[]' is not assignable to type 'SimpleUser'. T1 T2_x",
  );
});

test('Code that is written to slow down the search is searched quickly', () => {
  const far = ' '.repeat(400_000);
  for (const code of [
    `tools.a${far}x`,
    `tools${far}x`,
    `tools.${far}`,
    `tools[${far}`,
    `tools["a"${far}`,
    `tools.a?.${far}`,
    `const a = tools${far}`,
    `const {${far}} = tools`,
    'const { '.repeat(60_000),
  ])
    expect(namedPaths(code).length).toBeLessThan(2);
  expect(namedPaths('tools.a?.b'.repeat(40_000)).length).toBeLessThanOrEqual(100);
});

test('Hostile paths yield valid declarations', async () => {
  const text = await toolDeclarations(
    [
      { path: 'a.__proto__.constructor', type: 'unknown' },
      { path: 'a."; evil(); "', type: 'unknown' },
      { path: 'a', type: 'unknown' },
    ],
    { anyOutput: true, printer: new ToolPrinter(samePrintThread) },
  );
  expect(text).not.toMatch(/evil\(\)(?!; \\"")/);
  expect(text).toContain('"__proto__": { "constructor": { readonly unknown: "a.__proto__.constructor" }');
});
