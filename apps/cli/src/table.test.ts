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

test('A terminal that is too narrow for any table gets the narrowest one', () => {
  expect(tableLines(head, rows, 10)[1]).toBe('exe_06…ajp50  waiting (1)  return awai…');
});
