import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attack } from '../../test/attacks/attack.ts';
import { escapes } from '../../test/attacks/escapes.ts';
import { floods } from '../../test/attacks/floods.ts';
import { loops } from '../../test/attacks/loops.ts';
import { memory } from '../../test/attacks/memory.ts';
import { builtFolder } from '../../test/built-folder.ts';
import { answerWith, record } from '../sandbox.suite.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from './sandbox.ts';

/** Each attack runs beside a neighbour, which must not notice. */
let sandbox: QuickJsSandbox;
beforeAll(async () => {
  sandbox = await createQuickJsSandbox({ folder: builtFolder });
});
afterAll(() => sandbox.close());

describe.each([
  ['endless loops', loops],
  ['memory', memory],
  ['escapes', escapes],
  ['floods', floods],
])('%s', (_class, attacks) => {
  test.concurrent.each(attacks)('$name', async (attack) => {
    const [outcome] = await Promise.all([attackOnce(attack), expectUnharmedNeighbour()]);
    expect(outcome).toMatchObject({
      type: expect.toBeOneOf([attack.ends].flat()),
      ...(attack.json !== undefined && { json: attack.json }),
    });
    if (attack.message)
      expect(outcome).toMatchObject({ error: { message: expect.stringMatching(attack.message) } });
  });
});

test('the corpus is large', () => {
  expect(loops.length + memory.length + escapes.length + floods.length).toBeGreaterThanOrEqual(80);
});

test('afterwards nothing is left of them, and memory is back', async () => {
  await expectUnharmedNeighbour();
  expect(sandbox.stats()).toMatchObject({ executions: 0, liveVms: 0, keptVms: 0, bytesInFlight: 0 });
  expect(process.memoryUsage().rss).toBeLessThan(700 * 1024 * 1024);
});

async function attackOnce({ code, limits }: Attack) {
  const { outcome } = await record(sandbox, code, { ...(limits && { limits }), answer: echo });
  return outcome;
}

async function expectUnharmedNeighbour(): Promise<void> {
  const { outcome } = await record(
    sandbox,
    'let n = 0; for (let i = 0; i < 5; i++) n += (await tools.x.one({ i })).echo.length; return n',
    { answer: echo },
  );
  expect(outcome).toMatchObject({ type: 'returned', json: '25' });
}

async function echo(call: Parameters<typeof answerWith>[0]) {
  return answerWith(call, { echo: call.path });
}
