import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';

const megabyte = 1_000_000;
let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start({ limits: { 'historyBytes.perKey': 5 * megabyte } });
});
afterAll(() => host.close());

const read = `const answer = await tools.notes.large({ bytes: ${4 * megabyte} });`;
const held = () => host.engine.resources.held.historyBytes.usage().used;

test('Results that runs keep in memory are bounded, and given back when the runs end', async () => {
  const first = await host.engine.executions.create(host.agent, {
    ...{ code: `${read} await tools.notes.hang(); return 1`, waitMs: 0 },
  });
  await expect.poll(held).toBeGreaterThan(4 * megabyte);
  const code = `${read} return typeof answer === 'string' ? 'value' : answer`;
  const crowded = await host.engine.executions.create(host.agent, { code, waitMs: 60_000 });
  expect(crowded.result).toMatchObject({
    type: 'artifact',
    message: expect.stringContaining('the runs of this key keep as many results in memory as they may'),
  });
  expect((await host.run(code)).result).toBe('value');
  await host.engine.executions.cancel(host.agent, first.id);
  await expect.poll(held).toBe(0);
  const free = await host.engine.executions.create(host.agent, { code, waitMs: 60_000 });
  expect(free.result).toBe('value');
});
