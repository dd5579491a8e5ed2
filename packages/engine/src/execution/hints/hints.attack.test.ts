import { expect, test } from 'vitest';
import { noUsage } from '../../ports/sandbox.ts';
import { advised } from './run-hints.ts';

const jsonReader = { cut: async () => '[]' };
const state = {
  calls: [{ index: 0, path: 'a.b', inputHash: '', attempts: 0, completed: true, asked: [] }],
  completions: [{ index: 0, at: 0, result: { type: 'value', json: '{"a":1}' } as const }],
};

test.each([
  ['spaces', `x = ${' '.repeat(100_000)}`],
  ['spaces after catch', `catch(${' '.repeat(100_000)}`],
  ['long chains', 'a . '.repeat(20_000)],
  ['chains with loops', 'a . map('.repeat(2_400)],
  ['short chains', 'a . '.repeat(4_900)],
  ['brackets', `def f(${')'.repeat(100_000)}`],
  ['braces', '{'.repeat(19_000)],
])('Code with %s does not hold up the server', async (_, code) => {
  const begun = process.cpuUsage();
  const error = {
    name: 'TypeError',
    message: 'not a function',
    reason: 'thrown',
    line: 1,
    column: 1,
  } as const;
  for (const one of [
    error,
    { ...error, name: 'SyntaxError' },
    { ...error, message: "cannot read property 'b' of undefined" },
  ]) {
    const facts = { code, state, hasLogs: false, jsonReader };
    await advised({ type: 'threw', usage: noUsage, error: one }, facts);
    await advised(
      { type: 'returned', usage: noUsage, json: 'null' },
      { ...facts, code: `${code.slice(0, 19_000)}; return x.y` },
    );
  }
  // Some milliseconds. Without limits it takes minutes.
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1_500);
});
