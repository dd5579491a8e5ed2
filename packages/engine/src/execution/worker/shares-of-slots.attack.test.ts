import { expect, test } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';

test('Many runs of one key leave slots for the runs of another', async () => {
  const crowded = await TestEngine.start({ worker: { concurrency: 10 } });
  const { executions, resources } = crowded.engine;
  const agent = (apiKeyId: string) => ({ ...crowded.agent, apiKeyId });
  const start = (key: string, code: string, waitMs: number) =>
    executions.create(agent(key), { code, waitMs, limits: { cpuMs: 10_000 } });
  const endless = await Promise.all(Array.from({ length: 12 }, () => start('key_greedy', 'for (;;);', 0)));
  expect(endless.filter(({ status }) => status === 'running')).toHaveLength(2);
  expect(resources.held.runs.usage()).toMatchObject({ used: 2, users: [{ key: 'key_greedy', used: 2 }] });
  expect(await start('key_modest', 'return 1', 20_000)).toMatchObject({ status: 'completed', result: 1 });
  await Promise.all(endless.map(({ id }) => executions.cancel(crowded.owner, id)));
  for (const { id } of endless) expect(await crowded.wait(id)).toMatchObject({ status: 'cancelled' });
  expect(resources.held.runs.usage().used).toBe(0);
  await crowded.close();
});
