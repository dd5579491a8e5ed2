import { newId } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { at, type Fixture } from '../../test/fixture.ts';

export function describeWorkers(fixture: Fixture): void {
  describe('workers', () => {
    test('are listed with their latest announcement', async () => {
      const worker = workerOf();
      await fixture.store.workers.announce(worker);
      await fixture.store.workers.announce({ ...worker, running: 3, draining: true });
      const [seen] = await listed(worker.id);
      expect(seen).toEqual({ ...worker, running: 3, draining: true, seenAt: expect.any(Date) });
      expect(Math.abs((seen?.seenAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
      await fixture.store.workers.remove(worker.id);
      expect(await listed(worker.id)).toEqual([]);
    });

    test('are not listed when silent, and deleted after an hour', async () => {
      const [silent, gone, present] = [workerOf(), workerOf(), workerOf()];
      for (const worker of [silent, gone]) await fixture.store.workers.announce(worker);
      await silence(silent.id, '2 minutes');
      await silence(gone.id, '61 minutes');
      expect(await listed(silent.id, 60_000)).toEqual([]);
      expect(await listed(silent.id, 180_000)).toHaveLength(1);
      await fixture.store.workers.announce(present);
      const { rows } = await fixture.sql(`select id from workers where id in ('${silent.id}', '${gone.id}')`);
      expect(rows).toEqual([{ id: silent.id }]);
      await silence(present.id, '2 hours');
      await fixture.store.workers.announce(present);
      expect(await listed(present.id)).toHaveLength(1);
    });

    const silence = (id: string, time: string) =>
      fixture.sql(`update workers set seen_at = now() - interval '${time}' where id = '${id}'`);

    const listed = async (id: string, withinMs = 30_000) =>
      (await fixture.store.workers.list(withinMs)).filter((worker) => worker.id === id);
  });
}

function workerOf() {
  return {
    id: newId('wrk', at),
    host: 'machine',
    pid: 42,
    version: '0.1.0',
    concurrency: 8,
    running: 0,
    draining: false,
    startedAt: at,
  };
}
