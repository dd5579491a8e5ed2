import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JudgedInput } from '../../policy/judged-input.ts';
import { CpuMeter } from '../../resource/cpu-meter.ts';
import type { CallContext } from './call-context.ts';
import { prepareCall } from './prepare-call.ts';

/* Each step on the input of a call takes up to 50 ms, so other work gets its turn between them, and the run pays for them. */

let turns = 0;
let isOver = false;
beforeAll(() => {
  void (async () => {
    while (!isOver) {
      await turn();
      turns += 1;
    }
  })();
});
afterAll(() => {
  isOver = true;
});

/** The turns in which the steps began, and the meter of the call. */
async function prepare(input: string) {
  const steps: number[] = [];
  const meter = new CpuMeter();
  const step = <Result>(result: Result) => {
    steps.push(turns);
    return result;
  };
  const tool = { path: 'acme.run', effect: 'read', version: '1', origin: {} };
  const run = {
    meter,
    caller: { workspaceId: 'w', actorId: 'a' },
    catalog: { find: () => ({ tool, access: { auth: {}, schemes: [] } }) },
    validator: { check: (_: unknown, value: unknown) => step({ type: 'valid', input: value }) },
    policies: {
      complete: async (_: unknown, __: unknown, value: unknown) =>
        step(new JudgedInput({ input: value, alternatives: [] }, value)),
    },
  } as unknown as CallContext;
  const began = turns;
  await prepareCall({ index: 0, path: 'acme.run', input, inputHash: '' }, run);
  return { steps: [...steps, turns].map((one) => one - began), meter };
}

test('A large input is parsed, checked and judged in turns of their own', async () => {
  const { steps, meter } = await prepare(JSON.stringify({ text: 'x'.repeat(100_000) }));
  expect(steps).toEqual([...new Set(steps)]);
  expect(steps[0]).toBeGreaterThan(0);
  expect(meter.ms).toBeGreaterThan(0);
});

test('A small input is prepared at once and costs nothing', async () => {
  const { steps, meter } = await prepare('{"text":"x"}');
  expect(steps).toEqual([0, 0, 0]);
  expect(meter.ms).toBe(0);
});
