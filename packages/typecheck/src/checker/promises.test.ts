import { afterAll, describe, expect, test } from 'vitest';
import { builtFolder } from '../../test/built-folder.ts';
import { createTypeChecker } from '../process-type-checker.ts';

// The limits are longer than those of users, because other tests may keep the machine busy.
const patience = { folder: builtFolder, deadlineMs: 20_000, startMs: 120_000, waitMs: 120_000 };
const checker = createTypeChecker(patience);
afterAll(() => checker.close());

const declarations = `
declare const tools: {
  github: {
    issues: {
      create: (input: { owner: string; title: string }) => Promise<{ number: number }>;
      [key: string]: any;
    };
    [key: string]: any;
  };
  crm: {
    search: (input: { filter?: string }) => Promise<any>;
    [key: string]: any;
  };
  [key: string]: any;
};`;

async function problemsOf(code: string) {
  const check = await checker.check({ owner: 'key a', code: `(async () => {${code}\n})`, declarations });
  if (check.type === 'skipped') throw new Error(check.reason);
  return check.problems;
}

const plain = "tools.github.issues.create({ owner: 'a', title: 'x' })";
const unknown = 'tools.crm.search({})';

describe('a promise that is used as its value is a certain problem', () => {
  test.each([
    ['a property', `const p = ${plain}; return p.number`],
    ['a property of an unknown result', `const p = ${unknown}; return p.items`],
    ['a property of the call', `return ${unknown}.items`],
    ['a method', `const p = ${unknown}; return p.map((one: any) => one.id)`],
    ['an item', `const p = ${unknown}; return p[0]`],
    ['a destructured property', `const { items } = ${unknown}; return items`],
    ['a destructured item', `const [first] = ${unknown}; return first`],
    ['a loop', `for (const one of ${unknown}) console.log(one)`],
    ['a spread object', `const p = ${unknown}; return { ...p }`],
    ['a spread list', `return [...${unknown}]`],
    ['a template', `const p = ${unknown}; return \`got \${p}\``],
    ['text', `return 'got ' + ${unknown}`],
    ['arithmetic', `const p = ${plain}; return p * 2`],
    ['a sum', `let sum = 0; for (const n of [1]) sum += ${unknown}; return sum`],
    ['a comparison', `if (${unknown} > 1) return 1`],
    ['a condition', `if (${unknown}) return 1`],
    ['a condition with a constant', `const p = ${unknown}; if (!p) return 1`],
    ['a part of a condition', `if (1 > 0 && ${unknown}) return 1`],
    ['the first of two alternatives in a condition', `if (${unknown} || 1 > 2) return 1`],
    ['a choice', `return ${unknown} ? 1 : 2`],
    ['an item of a list of promises', `const all = [1].map((n) => ${unknown}); return all[0].id`],
    ['a parameter', `const all = [1].map(async (n) => ${unknown}); return all.map((one) => one.id)`],
    ['the result of an async function', `const f = async () => ${unknown}; const r = f(); return r.items`],
    ['the test of a filter', `return [1].filter(async (n) => await ${unknown})`],
  ])('%s', async (_, code) => {
    const certain = (await problemsOf(code)).filter(({ isCertain }) => isCertain);
    expect(certain).toMatchObject([{ message: expect.stringMatching(/promise.*[Aa]wait/) }]);
  });
});

describe('a promise that is not used as its value is no certain problem', () => {
  test.each([
    ['a constant', `const p = ${unknown}; return (await p).items`],
    ['Promise.all', `const [a, b] = await Promise.all([${plain}, ${plain}]); return a.number + b.number`],
    [
      'Promise.all of a list',
      `const all = await Promise.all([1].map((n) => ${plain})); return all[0].number`,
    ],
    ['a returned call', `return ${plain}`],
    ['then', `return ${plain}.then((r) => r.number).catch(() => 0).finally(() => {})`],
    ['a variable that gets its value', `let p = ${unknown}; p = await p; return p.items`],
    ['a variable that gets its value of a known type', `let p: any = ${plain}; p = await p; return p.number`],
    [
      'a list that gets its values',
      `let all = [1].map((n) => ${unknown}); all = await Promise.all(all); return all[0].id`,
    ],
    ['a field that gets its value', `const o = { p: ${unknown} }; o.p = await o.p; return o.p.items`],
    ['a promise that may not exist', `let p; if (Math.random() > 2) p = ${unknown}; if (p) await p`],
    [
      'a promise of a map',
      `const m = new Map<string, Promise<any>>(); if (!m.get('a')) m.set('a', ${unknown}); return m.size`,
    ],
    ['a call that is conditional', `const r = 1 > 2 && (await ${unknown}); return r`],
    ['a call that is made on a condition', `1 > 0 && ${unknown}; return 1`],
    ['a comparison of promises', `const p = ${unknown}; return p === null`],
    ['a property that the code adds', `const p = ${unknown}; (p as any).label = 1; return (p as any).label`],
    ['a race', `return await Promise.race([${unknown}, sleep(5)])`],
    ['a forEach', `[1].forEach(async (n) => { await ${unknown} }); return 1`],
    ['alternatives that are awaited', `return await (${unknown} || ${unknown})`],
    ['a cast', `return (${unknown} as any).items`],
  ])('%s', async (_, code) => {
    expect((await problemsOf(code)).filter(({ isCertain }) => isCertain)).toEqual([]);
  });
});
