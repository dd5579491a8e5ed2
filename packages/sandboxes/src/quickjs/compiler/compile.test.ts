import { describe, expect, test } from 'vitest';
import { lower } from '../lowering/lower.ts';
import { originalPosition } from '../run/source-position.ts';
import { compile as compileWith } from './compile.ts';

const compile = (source: string) => compileWith(source, lower);

/** A longer chain than the compiler can follow. */
const chain = Array.from({ length: 15_000 }, (_, n) => `const f${n}=()=>f${n + 1};`).join('\n');

const accepted: Record<string, string> = {
  'statements with await and return': 'const a: number = await tools.x.y();\nreturn a;',
  'a lone expression': '1 + 1',
  'a lone expression with a semicolon': 'await tools.x.y({ a: 1 });\n',
  'an object literal': '{ a: 1, b: [2] }',
  'an arrow function': 'async () => { return 1 }',
  'an arrow function with types': 'async (): Promise<number> => 1',
  'a function': 'async function main() { return 1 }',
  'a default export of a function': 'export default async function main(): Promise<number> { return 1 }',
  'a default export of an arrow function': 'export default async () => 1',
  'a default export of a value': 'const a = 1;\nexport default { a };',
  'exports beside it': 'export const a: number = 1;\nexport type B = string;\nexport default () => a;',
  'a type import': 'import type { A } from "a";\nexport default (a: A) => 1;',
  'a fence': '```ts\nreturn 1\n```',
  'a fence without a language': '```\nreturn 1\n```\n',
  'a fence after prose':
    'Here is the code:\n\n```typescript\nconst a: number = 1;\nreturn a\n```\nIt returns 1.',
  'a fence of tildes': '~~~js\nreturn 1\n~~~',
  enums: 'enum A { x = 1, y }\nconst enum B { z }\nreturn A.y + B.z',
  'parameter properties':
    'class A { constructor(private readonly x: number, public y = 2) {} }\nreturn new A(1)',
  namespaces: 'namespace A { export const x = 1 }\nreturn A.x',
  generics: 'const f = <T,>(x: T): T => x;\nreturn f<Map<string, number>>(new Map())',
  'assertions and satisfies': 'const a = { b: 1 } as const satisfies object;\nreturn (a as any)!.b!',
  'angle-bracket assertions': 'const a = <any>1; return a',
  overloads: 'function f(a: string): void;\nfunction f(a: any) { return a }\nreturn f("x")',
  declarations:
    'declare const x: number;\ninterface Y { z?: string }\nabstract class Q { abstract r(): void }\nreturn 1',
  'type predicates': 'const f = (x: unknown): x is string => typeof x === "string";\nreturn f(1)',
  'an arrow in a conditional': 'const a = true ? (1) : (b: number) => b;\nreturn a',
  'type imports in braces, and over many lines':
    'import { type A, type B } from "a";\nimport type {\n  C,\n  D,\n} from \'c\';\nreturn 1',
  'an export of a name as the default': 'const x = async () => 4;\nexport { x as default };',
  'an exported enum': 'export enum A { x = 1 }\nexport default () => A.x;',
  'a fence after prose with brackets': 'Here is the code (short; it works):\n```ts\nreturn 1\n```',
  'a fence that is not closed': '```ts\nreturn 1\n',
  'a fence beside one of another language':
    '```ts\nreturn 1\n```\nIt prints:\n```json\n{ "a": }\n```\n```\n{{{\n```',
  'a template literal that looks like a fence': 'const a = 1;\nreturn `\n```\ncode\n```\n`.length',
  decorators:
    'const d = (f: any, c: ClassMethodDecoratorContext) => f;\nclass A { @d m() {} }\nreturn new A()',
  'accessor fields': 'class A { static accessor x: number = 1 }\nreturn A.x',
  'a module with decorators': 'export default @d class A {}\nfunction d(c: any) { return c }',
  'a function that returns itself': 'const step = (n) => step;\nawait tools.a.b({});\nstep',
  'a function that returns itself, returned': 'const f = () => f; return f',
  'functions that return each other': 'const a = () => b; const b = () => a; return a',
  'functions that return the next of very many': `${chain}return f0`,
  'nothing but comments': '// nothing\n/* at all */',
};

describe('accepts', () => {
  test.each(Object.entries(accepted))('%s', (_name, source) => {
    expect(compile(source)).toMatchObject({ type: 'compiled', program: { source } });
  });
});

test('removing types keeps positions', () => {
  const source = 'const a: Array<number> = [];\n  type X = { y: string };\nreturn a as unknown';
  const compilation = compile(source);
  if (compilation.type !== 'compiled') throw new Error('not compiled');
  const { code, head, map } = compilation.program;
  expect(map).toBeUndefined();
  expect(
    code
      .slice(head)
      .split('\n')
      .slice(0, 3)
      .map((line) => line.trimEnd().length),
  ).toEqual([28, 0, 8]);
});

test('the result of a function that returns itself is at its name', () => {
  expect(compile('const step = () => step;\nawait tools.a.b({});\nstep')).toMatchObject({
    program: { places: { result: { line: 3, column: 1 } } },
  });
});

test('a syntax error has its position and the lines around it', () => {
  expect(compile('const a = 1;\nconst b = ;\nreturn a')).toEqual({
    type: 'rejected',
    error: {
      name: 'SyntaxError',
      message: 'Expression expected',
      reason: 'syntax',
      line: 2,
      column: 11,
      excerpt: '1 | const a = 1;\n2 | const b = ;\n  |           ^\n3 | return a',
    },
  });
});

test('a syntax error in a fence has the line of the submitted text', () => {
  expect(compile('Look:\n\n```ts\nconst a = 1;\nconst b = ;\n```')).toMatchObject({
    type: 'rejected',
    error: { line: 5, column: 11 },
  });
});

test.each([
  ['a bracket too many', 'const a = 1;\n}\nlet b = 2;', 2, 1],
  ['a bracket too few', 'if (a) {\n  b();\n', 2, 7],
  ['a regular expression', 'const a = 1;\nreturn /(/.test("a")', 2, 9],
  ['an import beside a comment that begins like one', '/*\nimport a\n*/\nconst b = ;', 4, 11],
])('the error of %s has its position', (_name, source, line, column) => {
  expect(compile(source)).toMatchObject({ type: 'rejected', error: { line, column, reason: 'syntax' } });
  expect(compile(source)).not.toMatchObject({ error: { message: expect.stringContaining('import') } });
});

test.each([
  ['fences', '~~~a\n'.repeat(200_000)],
  ['exports', 'export{\n'.repeat(100_000)],
  ['imports', 'import type a from "b"\n'.repeat(40_000)],
  ['unfinished imports', 'import type\n'.repeat(80_000)],
])('a megabyte of %s is read in linear time', { timeout: 60_000 }, (_name, source) => {
  expect(compile(source).type).toBeOneOf(['compiled', 'rejected']);
});

test('the error of an import names the alternative', () => {
  expect(compile('const a = 1;\nimport fs from "node:fs";\nreturn fs')).toMatchObject({
    type: 'rejected',
    error: { message: expect.stringContaining('tools.discover'), line: 2, column: 1 },
  });
});

test('code that needs no rewriting does not load the lowering', () => {
  const source = '// @ts-ignore\nconst accessor = "a@b.c"; const x = `@d class`;\nreturn accessor';
  const loaded = () => expect.fail('The lowering was loaded.');
  expect(compileWith(source, loaded).type).toBe('compiled');
});

test('positions in rewritten decorators map back to the source', () => {
  const source = 'const d = (f, c) => f;\nclass A {\n  @d m() {\n    return null.x;\n  }\n}\nnew A().m()';
  const compilation = compile(source);
  if (compilation.type !== 'compiled') throw new Error('not compiled');
  const { program } = compilation;
  const lines = program.code.split('\n');
  const line = lines.findIndex((text) => text.includes('null.x')) + 1;
  const column = (lines[line - 1] ?? '').indexOf('null.x') + 1;
  expect(originalPosition(program, { line, column })).toEqual({ line: 4, column: 12 });
});

test('a decorator of a parameter is refused with its position', () => {
  expect(compile('class A {\n  m(@d x) {}\n}\nreturn 1')).toMatchObject({
    type: 'rejected',
    error: { line: 2, column: 5, message: expect.stringContaining('A parameter cannot have a decorator') },
  });
});

test.each([
  ['statements', '}); globalThis.x = 1; (async () => { return 2', 1, 1],
  ['statements on two lines', 'return 1;\n }); for (;;); (async () => { return 2', 2, 2],
  ['an expression', 'f(1)); evil(); (async () => (2', 1, 5],
  ['statements, with a comma', 'return 1 }), tools.a.b({ x: 1 }), (async () => { return 2', 1, 10],
  ['an expression, with a comma', 'f(1)), evil(), (async () => (2', 1, 5],
  ['statements, with a call', 'return 1 })(), (async () => { return 2', 1, 10],
  ['statements, with an operator', 'return 1 }) && (async () => { return 2', 1, 10],
  ['statements, with a variable after it', '})\nvar y = (async () => {', 1, 1],
  [
    'statements, with a variable after it, in rewritten code',
    'enum A { x }\n})\nvar y = (async () => {',
    2,
    1,
  ],
  [
    'statements, with a variable after it, beside decorators',
    'class A { accessor x }\n})\nvar y = (() => {',
    2,
    1,
  ],
  ['statements, with a property of it', 'return 1 }).name, (() => { return 2', 1, 10],
  ['statements, as an argument', '}, evil(), () => {', 1, 1],
  ['code with decorators', 'class A { accessor x }\nreturn 1 }); evil(); (() => {', 2, 10],
])('a bracket that closes the function around %s is refused', (_name, source, line, column) => {
  expect(compile(source)).toMatchObject({ type: 'rejected', error: { reason: 'syntax', line, column } });
});
