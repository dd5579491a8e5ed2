import { expect, test } from 'vitest';
import { tableLines } from './table.ts';

const head = ['ID', 'STATUS', 'CODE'];
const rows = [
  [
    'exe_06gy394px4z61fkzfjkqbajp50',
    'waiting (1)',
    'return await tools.shop.orders.create({ item: "lamp" })',
  ],
  ['exe_06gy394px4z61fkzfjkqbajp5g', 'completed', 'return 1 + 1'],
];

test('Nothing is cut without a maximum width', () => {
  expect(tableLines(head, rows)).toEqual([
    'ID                              STATUS       CODE',
    'exe_06gy394px4z61fkzfjkqbajp50  waiting (1)  return await tools.shop.orders.create({ item: "lamp" })',
    'exe_06gy394px4z61fkzfjkqbajp5g  completed    return 1 + 1',
  ]);
});

test('The widest text is shortened first, and ids are never cut', () => {
  const lines = tableLines(head, rows, 70);
  expect(lines).toEqual([
    'ID                              STATUS       CODE',
    'exe_06gy394px4z61fkzfjkqbajp50  waiting (1)  return await tools.shop.…',
    'exe_06gy394px4z61fkzfjkqbajp5g  completed    return 1 + 1',
  ]);
});

test('Names lose their middle only if no text can be shortened further', () => {
  expect(tableLines(head, rows, 50)).toEqual([
    'ID                       STATUS       CODE',
    'exe_06gy394…zfjkqbajp50  waiting (1)  return awai…',
    'exe_06gy394…zfjkqbajp5g  completed    return 1 + 1',
  ]);
});

const wideHead = ['ID', 'STATUS', 'AGENT', 'CLIENT', 'STARTED', 'CODE'];
const wideRows = rows.map(([id = '', status = '', code = '']) => [
  id,
  status,
  'build agent of the team',
  '',
  '3 days ago',
  code,
]);

test.each([80, 50, 30, 10, 1])('No line is longer than a terminal of %i columns', (width) => {
  for (const [titles, cells] of [
    [head, rows],
    [wideHead, wideRows],
    [wideHead, []],
  ] as const)
    for (const line of tableLines([...titles], [...cells], width))
      expect(line.length).toBeLessThanOrEqual(width);
});

test('A table that does not fit loses its empty columns first', () => {
  const columns = ['ID', 'NOTE', 'STATUS'];
  const cells = [['exe_06gy394px4z61fkzfjkqbajp50', '-', 'waiting (1)']];
  expect(tableLines(columns, cells, 50)[0]).toBe('ID                              NOTE  STATUS');
  expect(tableLines(columns, cells, 45)).toEqual([
    'ID                              STATUS',
    'exe_06gy394px4z61fkzfjkqbajp50  waiting (1)',
  ]);
});

test('Cells are cut further before a column is left out', () => {
  expect(tableLines(wideHead, wideRows, 56)).toEqual([
    'ID            STATUS     AGENT      STARTED    CODE',
    'exe_06…ajp50  waiting …  build ag…  3 days a…  return a…',
    'exe_06…ajp5g  completed  build ag…  3 days a…  return 1…',
  ]);
});

test('A table that is still too wide loses its last columns', () => {
  expect(tableLines(wideHead, wideRows, 50)).toEqual([
    'ID            STATUS       AGENT        STARTED',
    'exe_06…ajp50  waiting (1)  build agen…  3 days ago',
    'exe_06…ajp5g  completed    build agen…  3 days ago',
  ]);
  expect(tableLines(wideHead, wideRows, 30)).toEqual([
    'ID                 STATUS',
    'exe_06gy…kqbajp50  waiting (1)',
    'exe_06gy…kqbajp5g  completed',
  ]);
  expect(tableLines(head, rows, 10)).toEqual(['ID', 'exe_0…jp50', 'exe_0…jp5g']);
});
