import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['prot', 'port'],
  ['prt', 'port'],
  ['pport', 'port'],
  ['PORT', 'port'],
  ['databseUrl', 'databaseUrl'],
  ['database_url', 'databaseUrl'],
  ['hosts', 'host'],
  ['colour', undefined],
  ['', undefined],
])('%j is corrected to %j', (word, meant) => {
  expect(nearest(word, ['host', 'port', 'databaseUrl', 'logLevel'])).toBe(meant);
});

test.each([
  ['userId', 'user_id'],
  ['User-ID', 'user_id'],
  ['sent_to', 'sendTo'],
  ['github.issue.create', 'github.issues.create'],
  ['github.issues.craete', 'github.issues.create'],
  ['linear.projects.list', undefined],
])('among paths and fields, %j is corrected to %j', (word, meant) => {
  expect(nearest(word, ['x', 'user_id', 'sendTo', 'github.issues.create', 'slack.send'])).toBe(meant);
});

test('The nearest candidate is chosen, the first of equals', () => {
  expect(nearest('abcdefx', ['abcdxyz', 'abcdefgh', 'abcdefg', 'abcdefz'])).toBe('abcdefg');
  expect(nearest('abcdefx', ['abcdefg', 'ABCDEFX'])).toBe('ABCDEFX');
});

test('The cost is bounded for long words and many candidates', () => {
  const budget = (): { pairs: number } => ({ pairs: 3_000_000 });
  const long = budget();
  const paths = Array.from({ length: 50_000 }, (_, n) => `${'x'.repeat(995)}${n}`);
  expect(nearest('x'.repeat(1_000), paths, long)).toBeUndefined();
  expect(long.pairs).toBe(budget().pairs);

  // The worst case: all candidates differ only in their last letters.
  const alike = Array.from({ length: 50_000 }, (_, n) => `a${'x'.repeat(89)}${String(n).padStart(10, '0')}`);
  const worst = budget();
  expect(nearest(`b${'x'.repeat(89)}cdefghijkl`, alike, worst)).toBeUndefined();
  expect(worst.pairs).toBeGreaterThan(-2_000);

  const usual = Array.from({ length: 50_000 }, (_, n) => `${(n * 7_919).toString(36)}.tool.${n}`);
  const meant = 'calendar.events.create';
  expect(nearest('calendar.event.craete', [...usual, meant], budget())).toBe(meant);
});

test('Distances equal those of the simple algorithm', () => {
  const letters = ['a', 'b', 'c'];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const word = () => Array.from({ length: 6 + next(9) }, () => letters[next(3)]).join('');
  for (let round = 0; round < 3_000; round++) {
    const [one, other] = [word(), word()];
    const allowed = Math.min(5, Math.floor(other.length / 3));
    expect([one, other, nearest(one, [other])]).toEqual([
      one,
      other,
      plainDistance(one, other) <= allowed ? other : undefined,
    ]);
  }
});

function plainDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++)
    for (let column = 1; column <= b.length; column++) {
      const changed = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      (rows[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        changed,
        swapped,
      );
    }
  return at(a.length, b.length);
}
