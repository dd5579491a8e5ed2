import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtFolder } from '../../../test/built-folder.ts';
import { record } from '../../sandbox.suite.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from '../sandbox.ts';

let sandbox: QuickJsSandbox;
beforeAll(async () => {
  sandbox = await createQuickJsSandbox({ folder: builtFolder, lanes: { warm: 1, max: 1 } });
});
afterAll(() => sandbox.close());

describe('console.table', () => {
  const tables: Record<string, [code: string, text: string]> = {
    'an array of objects': [
      'console.table([{ id: 1, name: "Ada" }, { id: 22, admin: true }])',
      '(index) | id | name | admin\n--------+----+------+------\n0       | 1  | Ada  |\n1       | 22 |      | true',
    ],
    'chosen columns': ['console.table([{ a: 1, b: 2 }], ["b"])', '(index) | b\n--------+--\n0       | 2'],
    'an object of rows': [
      'console.table({ x: { n: 1 }, y: { n: null } })',
      '(index) | n\n--------+-----\nx       | 1\ny       | null',
    ],
    'rows that are lists, and values that are no rows': [
      'console.table([[1, 2], "a\\nb", null])',
      '(index) | 0 | 1 | Values\n--------+---+---+-------\n0       | 1 | 2 |\n1       |   |   | a b\n2       |   |   | null',
    ],
    'a map and a group': [
      'console.group(); console.table(new Map([["k", { v: new Date(0) }]]))',
      '  (index) | v\n  --------+-------------------------\n  k       | 1970-01-01T00:00:00.000Z',
    ],
    'a value that has no rows': ['console.table(5)', '5'],
    'rows that throw when they are read': [
      'console.table([{ get a() { throw 1 } }])',
      '[a value that cannot be read]',
    ],
  };
  test.each(Object.entries(tables))('prints %s', async (_name, [code, text]) => {
    const { logs } = await record(sandbox, code);
    expect(logs.map((line) => line.text)).toEqual([text]);
  });

  test('prints at most 100 rows, and cuts long cells', async () => {
    const { logs } = await record(
      sandbox,
      'console.table(Array.from({ length: 1000 }, () => ({ a: "x".repeat(1000) })))',
    );
    const lines = logs[0]?.text.split('\n') ?? [];
    expect(lines).toHaveLength(103);
    expect(lines[2]).toBe(`0       | ${'x'.repeat(100)}…`);
    expect(lines.at(-1)).toBe('… 900 more');
  });
});

describe('a log that is too long', () => {
  test('ends with a line that says so and one that counts the omitted lines', async () => {
    const { logs } = await record(sandbox, 'for (let i = 0; i < 50; i++) console.log(""); return 1', {
      limits: { logBytes: 320 },
    });
    expect(logs.slice(0, 10).map(({ text }) => text)).toEqual(Array(10).fill(''));
    expect(logs.slice(10).map(({ level, text }) => [level, text])).toEqual([
      ['warn', 'The log may have 320 bytes; this line and all after it are left out.'],
      ['warn', 'The log was full: 40 lines are left out.'],
    ]);
  });

  test('counts lines across evictions of the run', async () => {
    const code =
      'for (let i = 0; i < 50; i++) { console.log("x".repeat(100)); if (i % 10 === 0) await sleep(1) }';
    const whole = await record(sandbox, code, { limits: { logBytes: 1_000 } });
    expect(whole.logs.at(-1)).toMatchObject({ text: 'The log was full: 43 lines are left out.' });
  });

  test('because of one line cuts that line and keeps the next ones', async () => {
    const { logs } = await record(sandbox, 'console.log("ä".repeat(5e5)); console.log("after")', {
      limits: { logBytes: 8_000 },
    });
    expect(logs.map(({ text }) => text)).toEqual([`${'ä'.repeat(500)}… 999000 more bytes`, 'after']);
  });
});
