import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { above, fitTime, relatedTests } from './related-tests.ts';

const imports = [
  ['packages/engine/src/a.test.ts', 'packages/engine/src/a.ts'],
  ['packages/engine/src/a.ts', 'packages/engine/src/b.ts'],
  ['packages/engine/src/c.test.ts', 'packages/engine/src/c.ts'],
].map(([file = '', target]) => ({ file, specifier: '', target }));
const tests = [
  'apps/cli/test/commands.test.ts',
  'apps/cli/test/docs.test.ts',
  'packages/engine/src/a.test.ts',
  'packages/engine/src/c.test.ts',
  'packages/sources/src/d.test.ts',
];

test('tests that import a changed file run first, then those that run the product with it, then other parts', () => {
  expect(relatedTests(['packages/engine/src/b.ts'], imports, tests)).toEqual([
    'packages/engine/src/a.test.ts',
    'apps/cli/test/commands.test.ts',
    'packages/sources/src/d.test.ts',
    'apps/cli/test/docs.test.ts',
  ]);
});

test('a changed file that no test imports runs all tests of its part', () => {
  expect(relatedTests(['packages/engine/src/program.ts'], imports, tests)).toEqual([
    'packages/engine/src/a.test.ts',
    'packages/engine/src/c.test.ts',
    'apps/cli/test/commands.test.ts',
    'packages/sources/src/d.test.ts',
    'apps/cli/test/docs.test.ts',
  ]);
});

test('a changed test runs itself, a changed document the commands in documents', () => {
  expect(relatedTests(['packages/sources/src/d.test.ts', 'docs/cli.md'], imports, tests)).toEqual([
    'packages/sources/src/d.test.ts',
    'apps/cli/test/docs.test.ts',
  ]);
});

test('tests that do not fit into the time are left out, and cheaper ones after them run', () => {
  const seconds: Record<string, number> = { near: 5, slow: 30, far: 5 };
  expect(fitTime(['near', 'slow', 'far'], 12, (test) => seconds[test] ?? 0)).toEqual({
    chosen: ['near', 'far'],
    left: ['slow'],
  });
});

test('every row of the table names files and tests that exist', () => {
  const files = spawnSync('git', ['ls-files'], { encoding: 'utf8' }).stdout.split('\n');
  for (const row of above)
    for (const pattern of Object.values(row))
      expect(
        files.some((file) => pattern.test(file)),
        `${pattern}`,
      ).toBe(true);
});
