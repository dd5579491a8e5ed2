import { expect, test } from 'vitest';
import { JsonPointer } from './json-pointer.ts';
import { Warnings } from './warnings.ts';

const root = JsonPointer.root({ main: true, url: undefined, root: {} });

test('the total size of warnings is limited', () => {
  const warnings = new Warnings();
  for (let index = 0; index < 5_000; index++) warnings.add(root.at(index), 'x'.repeat(100_000));
  const { all } = warnings;
  expect(all[0]?.message).toBe(`${'x'.repeat(500)}…`);
  expect(JSON.stringify(all).length).toBeLessThan(400_000);
  expect(all.at(-1)?.message).toBe(`Only the first ${all.length - 1} warnings are listed.`);
});

test('a repeated warning is listed once', () => {
  const warnings = new Warnings();
  for (const end of ['a', 'b']) warnings.add(root, 'x'.repeat(600) + end);
  expect(warnings.all).toHaveLength(1);
});
