import { expect, test } from 'vitest';
import { nodesIn } from './nodes-in.ts';

test('code that is nested deeper than the call stack is traversed', () => {
  let node: object = { type: 'Literal' };
  for (let depth = 0; depth < 200_000; depth++) node = { type: 'CallExpression', callee: node };
  let count = 0;
  for (const _ of nodesIn(node)) count += 1;
  expect(count).toBe(200_001);
});
