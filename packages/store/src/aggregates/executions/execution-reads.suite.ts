import { newId } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { at, later, pages } from '../../../test/fixture.ts';
import {
  dispatched,
  endingOf,
  logged,
  oddText,
  questionOf,
  type RunFixture,
  runsOf,
} from '../../../test/runs.ts';

export function describeReading(fixture: RunFixture): void {
  describe('reading', () => {
    test('finds runs only in their own workspace', async () => {
      const [runs, other] = [await runsOf(fixture, 'found'), await runsOf(fixture, 'other')];
      const { id } = await runs.create({ type: 'queued' });
      expect((await runs.find(id))?.id).toBe(id);
      expect(await other.find(id)).toBeUndefined();
    });

    test('returns events after a number, of some types, up to a limit', async () => {
      const runs = await runsOf(fixture, 'read');
      const { run, lease } = await runs.held();
      const written = [dispatched(0), logged('a'), dispatched(1), logged('b', 1)];
      await fixture.store.executions.append(lease, 1, { events: written });
      const read = async (options: { afterSeq: number; limit: number; types?: string[] }) =>
        (await fixture.store.executions.events(run.id, options)).map(({ seq }) => seq);
      expect(await read({ afterSeq: 0, limit: 10 })).toEqual([1, 2, 3, 4, 5]);
      expect(await read({ afterSeq: 2, limit: 2 })).toEqual([3, 4]);
      expect(await read({ afterSeq: 0, limit: 10, types: ['log'] })).toEqual([3, 5]);
      expect(await read({ afterSeq: 3, limit: 1, types: ['log', 'call.dispatched'] })).toEqual([4]);
      expect(await read({ afterSeq: 0, limit: 10, types: [] })).toEqual([]);
      expect(await read({ afterSeq: 5, limit: 10 })).toEqual([]);
    });

    test('lists runs newest first, in pages, with the start of their code and their questions', async () => {
      const runs = await runsOf(fixture, 'listed');
      const long = `${oddText}${'👍'.repeat(5_000)}`;
      const made = [];
      for (let number = 0; number < 5; number++) {
        const { run, lease } = await runs.held({ code: long, createdAt: later(number) });
        const ask = Array.from({ length: number }, (_, callIndex) => questionOf(run, { callIndex }));
        await fixture.store.executions.append(lease, 1, { events: [], ask });
        made.push(run);
      }
      const found = await pages((page) => fixture.store.executions.list(runs.workspaceId, {}, page));
      expect(found.map((page) => page.map(({ id }) => id))).toEqual([
        [made[4]?.id, made[3]?.id],
        [made[2]?.id, made[1]?.id],
        [made[0]?.id],
      ]);
      const [newest] = found.flat();
      const { codeExcerpt, ...row } = newest ?? { codeExcerpt: '' };
      expect(row).toEqual({
        id: made[4]?.id,
        workspaceId: runs.workspaceId,
        actorId: runs.tenant.actor.id,
        clientId: null,
        runtimeId: 'quickjs',
        status: 'running',
        error: null,
        createdAt: later(4),
        startedAt: later(4),
        finishedAt: null,
        pendingInteractions: 4,
      });
      expect(long.startsWith(codeExcerpt)).toBe(true);
      expect(codeExcerpt.length).toBeGreaterThan(100);
      expect(codeExcerpt.length).toBeLessThan(1_000);
      expect(codeExcerpt.endsWith('👍')).toBe(true);
    });

    test('filters by status, client and owner', async () => {
      const runs = await runsOf(fixture, 'filtered');
      const queued = await runs.create({ type: 'queued' }, { clientId: 'cli' });
      const { run: held } = await runs.held({ clientId: 'web', ownerId: 'key_1' });
      const { run: ended, lease } = await runs.held({ clientId: 'cli', ownerId: 'key_1' });
      await fixture.store.executions.finish(lease, 1, endingOf());
      const ids = async (filter: Parameters<typeof fixture.store.executions.list>[1]) =>
        (await fixture.store.executions.list(runs.workspaceId, filter, { limit: 10 })).items
          .map(({ id }) => id)
          .sort();
      expect(await ids({ status: 'queued' })).toEqual([queued.id]);
      expect(await ids({ status: 'completed' })).toEqual([ended.id]);
      expect(await ids({ clientId: 'cli' })).toEqual([queued.id, ended.id].sort());
      expect(await ids({ ownerId: 'key_1' })).toEqual([held.id, ended.id].sort());
      expect(await ids({ ownerId: 'key_1', clientId: 'cli', status: 'running' })).toEqual([]);
      expect(await ids({ ownerId: newId('key', at) })).toEqual([]);
    });
  });
}
