import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';
import { accountOf } from '../../resource/account.ts';
import { sweepEveryMs } from './worker.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

test('The default lease and one regular sweep on Postgres together take at most 15 s', () => {
  const slot = host.engine.worker.reserve(accountOf(host.owner));
  slot?.free();
  expect((slot?.lease.ttlMs as number) + sweepEveryMs.postgres).toBeLessThanOrEqual(15_000);
});

test('A worker takes the run of a killed worker when the lease ends, not at its next regular sweep', async () => {
  const { worker } = host.engine;
  await worker.drain();
  const run = await host.run('return "continued"', { waitMs: 0 });
  // A killed worker leaves nothing behind but its lease, which is short here.
  expect(await host.store.executions.lease(run.id, 'killed', 1_500)).toBeDefined();
  // An embedded database would end the leases of an earlier process at once.
  const endLeases = vi.spyOn(host.store.executions, 'endLeases').mockResolvedValueOnce();
  await worker.start();
  expect(endLeases).toHaveBeenCalledOnce();
  endLeases.mockRestore();
  expect((await host.get(run.id)).status).toBe('running');
  // The next regular sweep would be after a minute.
  expect(await host.wait(run.id, 15_000)).toMatchObject({ status: 'completed', result: 'continued' });
});
