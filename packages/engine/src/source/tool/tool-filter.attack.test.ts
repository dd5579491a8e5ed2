import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { OpenedSource } from '../../catalog/opened-source.ts';
import { filterTools } from './tool-filter.ts';

test('A filter lets other work of the server run after at most 100 tools', async () => {
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turns++) await turn();
  })();
  const perTurn = new Map<number, number>();
  const rows = Array.from({ length: 2_500 }, (_, index) => ({ path: `acme.op${index}`, description: 'x' }));
  const opened = { pack: { rows: () => rows }, toolRow: (path: string) => ({ path }) };
  // Each tool is compared with all rules.
  const isVisible = () => {
    perTurn.set(turns, (perTurn.get(turns) ?? 0) + 1);
    return true;
  };
  const found = await filterTools(opened as unknown as OpenedSource, {}, isVisible);
  isOver = true;
  await counting;
  expect(found).toHaveLength(2_500);
  expect(Math.max(...perTurn.values())).toBeLessThanOrEqual(100);
});
