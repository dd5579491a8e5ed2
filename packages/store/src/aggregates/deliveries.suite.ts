import { randomUUID } from 'node:crypto';
import type { Delivery } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import type { Fixture } from '../../test/fixture.ts';
import { created, longMs, runOf, runsOf } from '../../test/runs.ts';

const ownerId = 'key_1';
const lost = { type: 'lost' } as const;
const delivered = { type: 'delivered' } as const;
const expected = { type: 'expected', withinMs: longMs } as const;

export function describeDeliveries(fixture: Fixture): void {
  describe('deliveries', () => {
    const tenant = async (label: string) => {
      const runs = await runsOf(fixture, label);
      const start = async (changes: Partial<Delivery> = {}, idempotencyKey: string | null = null) => {
        const { id } = await runs.create({ type: 'queued' }, { ownerId, idempotencyKey });
        const delivery: Delivery = { executionId: id, ownerId, codeHash: label, answer: lost, ...changes };
        await fixture.store.deliveries.save(delivery);
        return delivery;
      };
      const join = (
        changes: { ownerId?: string; codeHash?: string; requestKey?: string; maxAgeMs?: number } = {},
      ) =>
        fixture.store.deliveries.join({
          ...{ workspaceId: runs.workspaceId, ownerId, codeHash: label },
          ...{ requestKey: randomUUID(), maxAgeMs: longMs, withinMs: longMs, ...changes },
        });
      return { runs, start, join };
    };

    test('keep what an owner was shown, for each run and owner', async () => {
      const { start } = await tenant('shown');
      const delivery = await start({ answer: delivered, shown: ['int_1', 'int_2'] });
      const { executionId } = delivery;
      const find = (owner: string) => fixture.store.deliveries.find(executionId, owner);
      expect(await find(ownerId)).toEqual({ isDelivered: true, shown: ['int_1', 'int_2'] });
      expect(await find('key_2')).toBeUndefined();
      await fixture.store.deliveries.save({ ...delivery, ownerId: 'key_2', shown: ['int_3'] });
      const { shown: _, ...later } = delivery;
      await fixture.store.deliveries.save({ ...later, answer: lost });
      expect(await find(ownerId)).toEqual({ isDelivered: false, shown: ['int_1', 'int_2'] });
      await fixture.store.deliveries.save({ ...delivery, shown: [] });
      expect(await find(ownerId)).toEqual({ isDelivered: true, shown: [] });
      expect(await find('key_2')).toEqual({ isDelivered: true, shown: ['int_3'] });
    });

    test('are expected from the moment that the run exists', async () => {
      const { runs, join } = await tenant('awaited');
      const awaited = { codeHash: 'awaited', withinMs: longMs };
      const changes = { ownerId, idempotencyKey: 'awaited' };
      const create = (codeHash: string) =>
        fixture.store.executions.create(
          runOf(runs.tenant, changes),
          [created],
          { type: 'queued' },
          { awaited: { ...awaited, codeHash } },
        );
      const { execution } = await create('awaited');
      expect(await fixture.store.deliveries.find(execution.id, ownerId)).toEqual({
        isDelivered: false,
        shown: [],
      });
      // The same request again gets the run and changes nothing.
      expect((await create('other code')).created).toBe(false);
      expect(await join()).toBeUndefined();
      await fixture.sql(`update deliveries set waits_in = 'dead' where code_hash = 'awaited'`);
      expect(await join()).toBe(execution.id);
      const other = await runs.create({ type: 'queued' }, { ownerId });
      expect(await fixture.store.deliveries.find(other.id, ownerId)).toBeUndefined();
    });

    test('of a run that was removed are not written', async () => {
      const delivery = { executionId: 'exe_gone', ownerId, codeHash: 'gone', answer: lost };
      await fixture.store.deliveries.save(delivery);
      expect(await fixture.store.deliveries.find('exe_gone', ownerId)).toBeUndefined();
    });

    test('let a request join a run whose answer was lost, once', async () => {
      const { start, join } = await tenant('lost');
      const { executionId } = await start();
      expect(await join({ ownerId: 'key_2' })).toBeUndefined();
      expect(await join({ codeHash: 'other code' })).toBeUndefined();
      expect(await join({ maxAgeMs: 0 })).toBeUndefined();
      expect(await join()).toBe(executionId);
      expect(await fixture.store.deliveries.find(executionId, ownerId)).toEqual({
        isDelivered: false,
        shown: [],
      });
      expect(await join()).toBeUndefined();
      await fixture.store.deliveries.save({ executionId, ownerId, codeHash: 'lost', answer: lost });
      expect(await join()).toBeUndefined();
    });

    test('let no request join a run whose answer was delivered or is expected', async () => {
      const { start, join } = await tenant('not lost');
      await start({ answer: delivered });
      await start({ answer: expected });
      expect(await join()).toBeUndefined();
      const { executionId } = await start({ answer: { type: 'expected', withinMs: 0 } });
      expect(await join()).toBe(executionId);
    });

    test('give a repeated request the run that it joined, and not another one', async () => {
      const { start, join } = await tenant('repeated');
      await start();
      const joined = await join({ requestKey: 'request 1' });
      await fixture.store.deliveries.save({
        ...{ executionId: joined ?? '', ownerId, codeHash: 'repeated', answer: delivered },
      });
      await start();
      expect(await join({ requestKey: 'request 1' })).toBe(joined);
    });

    test('let no request join if it has a run of its own', async () => {
      const { start, join } = await tenant('own');
      const { executionId } = await start({}, 'request 1');
      expect(await join({ requestKey: 'request 1' })).toBeUndefined();
      expect(await join({ requestKey: 'request 2' })).toBe(executionId);
    });

    test('let one of several concurrent requests join', async () => {
      const { start, join } = await tenant('raced');
      const { executionId } = await start();
      const joined = await Promise.all(Array.from({ length: 8 }, () => join()));
      expect(joined.filter((id) => id !== undefined)).toEqual([executionId]);
    });

    test('that are expected are lost when the process that expects them has died', async () => {
      const { start, join } = await tenant('died');
      const { executionId } = await start({ answer: expected });
      await start({ answer: delivered });
      expect(await join()).toBeUndefined();
      await fixture.sql(`update deliveries set waits_in = 'dead' where code_hash = 'died'`);
      expect(await join()).toBe(executionId);
      expect(await join()).toBeUndefined();
    });
  });
}
