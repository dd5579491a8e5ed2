import { afterAll, describe, expect, test } from 'vitest';
import { builtFolder } from '../test/built-folder.ts';
import { createTypeChecker } from './process-type-checker.ts';

// The limits are longer than those of users, because other tests may keep the machine busy.
const patience = { folder: builtFolder, deadlineMs: 20_000, startMs: 120_000, waitMs: 120_000 };
const checker = createTypeChecker(patience);
afterAll(() => checker.close());

const owner = 'key a';
const declarations = `
type Parent = string | null;
declare const tools: {
  github: {
    issues: {
      create: (input: { owner: string; title: string; size?: number; state?: "open" | "closed"; labels?: string[]; either?: string | string[]; milestone?: number | null; parent?: Parent; meta?: { a: string; [key: string]: any } }) => Promise<{ number: number; node_id?: string; id: string | number }>;
      creat: { readonly unknown: "github.issues.creat" };
      [key: string]: any;
    };
    [key: string]: any;
  };
  crm: {
    search: (input: { filter?: { name: string; [key: string]: any } | { [key: string]: any }; one?: { a: string; [key: string]: any } | { b: number; [key: string]: any }; deep?: { c: { d: string }[] } | { e: number }; all?: { f: string } | { f: number; g?: string } | string | string[]; some?: { h: string } | { h: string | null }; known?: { [key: string]: { i: string } } }) => Promise<any>;
    [key: string]: any;
  };
  [key: string]: any;
};`;

async function problemsOf(code: string) {
  const check = await checker.check({ owner, code: `(async () => {${code}\n})`, declarations });
  if (check.type === 'skipped') throw new Error(check.reason);
  return check.problems;
}

const summary = async (code: string) =>
  (await problemsOf(code)).map(
    ({ call, isCertain }) => `${call?.part ?? 'elsewhere'} ${isCertain ? 'wrong' : 'perhaps'}`,
  );

const create = 'await tools.github.issues.create';
const search = 'await tools.crm.search';

describe('a call that cannot work is a certain problem', () => {
  test.each([
    ['a misspelt field', `${create}({ ownr: 'a', title: 'x' })`, 'input wrong'],
    ['a missing field', `${create}({ owner: 'a' })`, 'input wrong'],
    ['a missing nested field', `${create}({ owner: 'a', title: 'x', meta: {} })`, 'input wrong'],
    ['no input at all', `${create}()`, 'path wrong'],
    ['two inputs', `${create}({ owner: 'a', title: 'x' }, {})`, 'input wrong'],
    ['a wrong type', `${create}({ owner: 1, title: 'x' })`, 'input wrong'],
    ['a wrong type in a list', `${create}({ owner: 'a', title: 'x', labels: [-1] })`, 'input wrong'],
    [
      'a literal that is not a value of the enum',
      `${create}({ owner: 'a', title: 'x', state: 'opne' })`,
      'input wrong',
    ],
    [
      'a promise',
      `${create}({ owner: 'a', title: tools.github.issues.create({ owner: 'a', title: 'x' }) })`,
      'input wrong',
    ],
    ['null instead of a string', `${create}({ owner: null, title: 'x' })`, 'input wrong'],
    [
      'null instead of a string in a nested field',
      `${create}({ owner: 'a', title: 'x', meta: { a: null } })`,
      'input wrong',
    ],
    ['null if no member of a union accepts it', `${search}({ all: { f: null } })`, 'input wrong'],
    ['null in an object under an index signature', `${search}({ known: { x: { i: null } } })`, 'input wrong'],
    ['a string instead of an object', `${create}('a')`, 'input wrong'],
    ['a list instead of an object', `${create}([])`, 'input wrong'],
    ['a list instead of a string', `${create}({ owner: 'a', title: ['x'] })`, 'input wrong'],
    ['an object instead of a string', `${create}({ owner: 'a', title: { x: 1 } })`, 'input wrong'],
    ['an object instead of a list', `${create}({ owner: 'a', title: 'x', labels: {} })`, 'input wrong'],
    [
      'an object instead of a string or a list',
      `${create}({ owner: 'a', title: 'x', either: {} })`,
      'input wrong',
    ],
    [
      'a template string instead of a number',
      `let s = 'x'; ${create}({ owner: 'a', title: 'x', size: \`\${s}\` })`,
      'input wrong',
    ],
    ['a wrong path through an alias', `const gh = tools.github; await gh.issues.creat({})`, 'path wrong'],
    [
      'an alias for a tool',
      `const { issues: { create: add } } = tools.github; await add({ owner: 1, title: 'x' })`,
      'input wrong',
    ],
    [
      'an alias for an alias',
      `const { github } = tools; const i = github.issues; await i.create({ ownr: 'a', title: 'x' })`,
      'input wrong',
    ],
    ['an unknown path', `await tools.github.issues.creat({})`, 'path wrong'],
    ['a path in brackets', `await tools['github'].issues['creat']({})`, 'path wrong'],
    ['a call inside of a call', `console.log(${create}({ ownr: 'a', title: 'x' }))`, 'input wrong'],
    [
      'a call inside of a function',
      `[1].map((n) => ${create.replace('await ', '')}({ owner: true, title: 'x' }))`,
      'input wrong',
    ],
  ])('%s', async (_, code, expected) => {
    expect(await summary(code)).toEqual([expected]);
  });
});

describe('a call that may work is not a certain problem', () => {
  test.each([
    [
      'a string variable that may be a value of the enum',
      `let state = 'open'; ${create}({ owner: 'a', title: 'x', state })`,
      ['input perhaps'],
    ],
    [
      'a template string that may be a value of the enum',
      `const s: string = 'open'; ${create}({ owner: 'a', title: 'x', state: \`\${s}\` })`,
      ['input perhaps'],
    ],
    [
      'a list with an item of an unexpected type',
      `let n = 1; ${create}({ owner: 'a', title: 'x', labels: [n], either: [n] })`,
      ['input perhaps', 'input perhaps'],
    ],
    [
      'an alias that may be reassigned',
      `let gh = tools.github; await gh.issues.creat({})`,
      ['elsewhere perhaps'],
    ],
    [
      'a value of a union type',
      `const { id } = ${create}({ owner: 'a', title: 'x' }); ${create}({ owner: id, title: 'x' })`,
      ['input perhaps'],
    ],
    [
      'an object whose fields are set later',
      `const input = { owner: 'a' }; Object.assign(input, { title: 'x' }); ${create}(input)`,
      ['input perhaps'],
    ],
    [
      'an object with spread fields',
      `const rest = {}; ${create}({ owner: 'a', ...rest })`,
      ['input perhaps'],
    ],
    [
      'a result whose document may be wrong',
      `const r = ${create}({ owner: 'a', title: 'x' }); ${create}({ owner: r.number, title: 'x' })`,
      ['input perhaps'],
    ],
    [
      'a variable that is set elsewhere',
      `let id = 0; const set = (v: any) => { id = v }; set('real'); ${create}({ owner: id, title: 'x' })`,
      ['input perhaps'],
    ],
    [
      'a variable of type any',
      `let n = 0; n = JSON.parse('"x"'); ${create}({ owner: n, title: 'x' })`,
      ['input perhaps'],
    ],
    [
      'a value with a type assertion',
      `const s: 'opne' = JSON.parse('"open"'); ${create}({ owner: 'a', title: 'x', state: s, labels: [s.length] })`,
      ['input perhaps', 'input perhaps'],
    ],
    [
      'an expression that begins with a literal',
      `let s = 2; ${create}({ owner: 'a', title: 'x', labels: [1 && s] })`,
      ['input perhaps'],
    ],
    [
      'a field with a computed name',
      `const key: string = 'title'; ${create}({ owner: 'a', [key]: 'x' })`,
      ['input perhaps'],
    ],
    [
      'an unknown field without a value',
      `${create}({ owner: 'a', title: 'x', extra: undefined, ...{} }); ${create}({ owner: 'a', title: 'x', extra: 1 > 2 ? 'x' : undefined })`,
      ['input perhaps', 'input perhaps'],
    ],
    [
      'another variable named tools',
      `{ const tools = { foo: (x: number) => x }; tools.foo('5') } for (const tools of [[1], [2]]) tools.push('x'); const cut = (tools: string[]) => tools.slice('1')`,
      ['elsewhere perhaps', 'elsewhere perhaps', 'elsewhere perhaps'],
    ],
    ['a date', `${create}({ owner: 'a', title: new Date() })`, ['input perhaps']],
    [
      'an error elsewhere',
      `const n: number = 'x'; ${create}({ owner: 'a', title: 'x' })`,
      ['elsewhere perhaps'],
    ],
    [
      'an error in a callback',
      `${create}({ owner: 'a', title: (() => { const n: number = 'x'; return 'y' })() })`,
      ['elsewhere perhaps'],
    ],
    [
      'an undeclared field of the result',
      `return (${create}({ owner: 'a', title: 'x' })).nod_id`,
      ['elsewhere perhaps'],
    ],
    ['a global that does not exist', `fetch('x')`, ['elsewhere perhaps']],
    ['an unknown type', `const x: any = 1; const y: unknown = x; ${create}({ owner: x, title: 'x' })`, []],
    [
      'a value that may be undefined',
      `const r = ${create}({ owner: undefined, title: undefined }); ${create}({ owner: r.node_id, title: 'x' })`,
      [],
    ],
    [
      'null in a nullable field or in an undeclared one',
      `${create}({ owner: 'a', title: 'x', milestone: null, parent: null, meta: { a: 'b', c: null } }); const mine = { owner: null }; await tools.github.other({ x: null })`,
      [],
    ],
    [
      'null if one member of a union accepts it or does not declare the field',
      `${search}({ filter: { name: null } }); ${search}({ one: { a: null, b: 1 } }); ${search}({ some: { h: null } }); ${search}({ deep: { c: [{ d: null }], e: 1 } })`,
      [],
    ],
    [
      'null in a type of the code itself',
      `type T = { q: string }; ${create}({ owner: 'a', title: ({ q: null } as T).q ?? 'b' }); ${create}({ owner: 'a', title: ({ q: null } satisfies T).q ?? 'b' })`,
      [],
    ],
    [
      'null in a value that the input is computed from',
      `type T = Parameters<typeof tools.github.issues.create>[0]; ${create}({ owner: ({ owner: null, title: 'x' } as T).owner ?? 'a', title: 'x' })`,
      [],
    ],
    [
      'null that another value may overwrite',
      `const rest = { owner: 'a', title: 'x', meta: { a: 'b' } }; ${create}({ owner: null, ...rest }); ${create}({ title: 'x', ...{ owner: null }, owner: 'a' }); ${create}({ meta: { a: null }, ...rest })`,
      [],
    ],
    ['fields that the schema accepts', `${create}({ owner: 'a', title: 'x', meta: { a: 'b', c: 1 } })`, []],
    [
      'computed paths',
      `const p = 'x'; await tools[p].y({}); await tools.github[p]({ z: 1 }); const { issues } = tools.github; issues[p](1)`,
      [],
    ],
    [
      'tools whose names are no identifiers',
      `const tools2 = { creat: (x: string) => x }; { const tools = tools2; tools.creat('x') }`,
      [],
    ],
    [
      'the globals of the sandbox',
      `console.log(new URL('https://a.b').searchParams.get('c'), await sleep(1), crypto.randomUUID(), new TextEncoder().encode(atob('')), structuredClone({})); try { } catch (error) { if (error instanceof ToolError) throw error.details }`,
      [],
    ],
  ])('%s', async (_, code, expected) => {
    expect(await summary(code)).toEqual(expected);
  });
});

test('a problem has its position, its call, and a suggestion', async () => {
  const code = `const é = '日本';\n${create}({ ownr: 'a', title: 'x' });`;
  const [problem] = await problemsOf(code);
  expect(problem).toMatchObject({
    code: 2561,
    position: `(async () => {${code}`.indexOf('ownr'),
    call: { path: 'github.issues.create', part: 'input' },
  });
  expect(problem?.message).toContain('input.ownr is unknown; did you mean owner?');
  expect(problem?.message.length).toBeLessThan(400);
});

test('the message about a wrong value names its field', async () => {
  const messageFor = async (input: string) =>
    (await problemsOf(`const title = 1 as any as number[]; ${create}(${input})`))[0]?.message;
  expect(await messageFor(`{ owner: 'a', title: 'x', labels: ['a', 1] }`)).toBe(
    "input.labels[1]: Type 'number' is not assignable to type 'string'.",
  );
  expect(await messageFor(`{ owner: 'a', title: 'x', meta: { a: 1 } }`)).toMatch(/^input\.meta\.a: /);
  expect(await messageFor(`{ owner: 'a', title }`)).toMatch(/^input\.title: /);
});

test('the message about a null names the types that each option expects', async () => {
  const [problem] = await problemsOf(`${search}({ all: { f: null } })`);
  expect(problem?.message).toBe("input.all.f: Type 'null' is not assignable to type 'string | number'.");
});

test('the same code has the same problems until its tools change', async () => {
  const code = `(async () => { ${create}({ owner: 'a', subject: 'x' }) })`;
  const other = declarations.replace('title: string', 'subject: string');
  const results: boolean[] = [];
  for (const tools of [declarations, declarations, other, other, declarations]) {
    const check = await checker.check({ owner, code, declarations: tools });
    results.push(check.type === 'checked' && check.problems.some(({ isCertain }) => isCertain));
  }
  expect(results).toEqual([true, true, false, false, true]);
});

test('code cannot read any file', async () => {
  const codes = [
    '/// <reference path="/etc/passwd" />\n',
    'type A = typeof import("/etc/passwd"); const a: A = 1;',
    `type B = typeof import("${process.cwd()}/package.json"); const b: B["name"] = 1;`,
    'declare module "x" { export * from "/etc/hostname" }',
  ];
  for (const code of codes) {
    const check = await checker.check({ owner, code, declarations });
    expect(JSON.stringify(check)).not.toContain('root:');
    expect(JSON.stringify(check)).not.toContain('executor-workspace');
  }
});

const bomb = `
type Build<N extends number, T extends any[] = []> = T['length'] extends N ? T : Build<N, [...T, any]>;
type Product<A, B> = A extends any ? (B extends any ? [A, B] : never) : never;
type Bits = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Two = Product<Bits, Bits>; type Four = Product<Two, Two>;
type Mad = Product<Four, Four>;
const x: Mad = null as any as Product<Four, Two>;
type Text = \`\${Bits}\${Bits}\${Bits}\${Bits}\`;
const y: Text = '1' as string; const all: Record<Text, Record<Text, 1>> = {} as Record<Text, Record<Text, 2>>;
`;

test('an endless check is skipped with a reason, and the next check runs', async () => {
  const small = createTypeChecker({ ...patience, deadlineMs: 1_000, megabytes: 700 });
  try {
    const right = {
      owner,
      code: `(async () => { ${create}({ owner: 'a', title: 'x' }) })`,
      declarations,
    };
    const [first, ...others] = await Promise.all([
      small.check({ owner, code: bomb, declarations }),
      small.check(right),
    ]);
    expect(first).toEqual({ type: 'skipped', reason: expect.stringMatching(/timed out|memory limit/) });
    // On a busy machine the first attempt may time out.
    const next = async () => others.pop() ?? small.check(right);
    await expect.poll(next, { timeout: 120_000 }).toEqual({ type: 'checked', problems: [] });
  } finally {
    small.close();
  }
});

describe('a check of one key', () => {
  const plain = { code: '1', declarations: '' };

  test('gets its full time after TypeScript has started', async () => {
    const slow = createTypeChecker({ ...patience, deadlineMs: 300, megabytes: 4_000 });
    const check = await slow.check({ owner, code: bomb, declarations });
    slow.close();
    expect(check).toEqual({ type: 'skipped', reason: 'it timed out' });
  });

  test('delays other keys only briefly', async () => {
    const busy = createTypeChecker({ ...patience, waitMs: 10 });
    const first = busy.check({ owner, ...plain });
    const second = await busy.check({ owner: 'key b', ...plain });
    expect(second).toEqual({ type: 'skipped', reason: 'it waited too long for other checks' });
    expect(await first).toEqual({ type: 'checked', problems: [] });
    busy.close();
  });

  test('cannot fill the queue, and takes turns with other keys', async () => {
    const busy = createTypeChecker(patience);
    const order: string[] = [];
    const check = async (key: string) => {
      const { type } = await busy.check({ owner: key, ...plain });
      order.push(`${key} ${type}`);
    };
    await Promise.all([...Array(12).fill('a'), 'b', 'b'].map(check));
    busy.close();
    expect(order.slice(0, 4)).toEqual(['a skipped', 'a checked', 'b checked', 'b checked']);
    expect(order).toHaveLength(14);
  });

  test('is before the next check of a key whose checks take long', async () => {
    const busy = createTypeChecker({ ...patience, deadlineMs: 1_000, megabytes: 4_000 });
    const order: string[] = [];
    const check = async (key: string, code: string) => {
      await busy.check({ owner: key, code, declarations: '' });
      order.push(key);
    };
    const attack = Array.from({ length: 3 }, () => check('attacker', bomb));
    await Promise.all([...attack, check('other', '1'), check('other', '2')]);
    busy.close();
    expect(order.slice(0, 3)).toEqual(['attacker', 'other', 'other']);
  });
});

test('without the checker program checks are skipped without an error', async () => {
  const broken = createTypeChecker({ folder: '/nowhere' });
  const check = await broken.check({ owner, code: '1', declarations: '' });
  expect(check).toEqual({ type: 'skipped', reason: expect.stringContaining('process') });
  broken.close();
});

test('the process stops when idle, and starts again', async () => {
  const lazy = createTypeChecker({ ...patience, idleMs: 50 });
  expect(await lazy.check({ owner, code: '1', declarations: '' })).toEqual({
    type: 'checked',
    problems: [],
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await lazy.check({ owner, code: '1', declarations: '' })).toEqual({
    type: 'checked',
    problems: [],
  });
  lazy.close();
});
