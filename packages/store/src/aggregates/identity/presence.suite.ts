import type { PresenceRow } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { entry, type Fixture, later } from '../../../test/fixture.ts';

export function describePresence(fixture: Fixture): void {
  describe('presence', () => {
    const newPresence = async (label: string) => {
      const { workspace, actor } = await fixture.newWorkspace(label);
      const row: PresenceRow = {
        workspaceId: workspace.id,
        actorId: actor.id,
        mode: 'pin',
        pinHash: 'hash',
        failures: 0,
        lockedUntil: null,
      };
      const key = [workspace.id, actor.id] as const;
      const find = () => fixture.store.presence.find(...key);
      return { row, key, find };
    };

    test('is enabled, changed and disabled with an audit entry each', async () => {
      const { row, key, find } = await newPresence('present');
      expect(await find()).toBeUndefined();
      const off: PresenceRow = { ...row, mode: 'off', pinHash: null };
      for (const state of [row, { ...row, pinHash: 'other' }, off]) {
        await fixture.store.presence.set(state, entry(row.workspaceId));
        expect(await find()).toEqual(state);
      }
      expect((await fixture.store.audit.list(key[0], { limit: 10 })).items).toHaveLength(3);
      const taken = await fixture.takenEntry(row.workspaceId);
      await expect(fixture.store.presence.set(row, taken)).rejects.toThrow();
      expect(await find()).toEqual(off);
    });

    test('counts all concurrent attempts', async () => {
      const { row, key, find } = await newPresence('guessed');
      await fixture.store.presence.set(row, entry(row.workspaceId));
      const counts = await Promise.all(
        Array.from({ length: 8 }, () => fixture.store.presence.countAttempt(...key)),
      );
      expect(counts.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      await fixture.store.presence.lock(
        ...key,
        later(9),
        entry(row.workspaceId, { action: 'presence.locked' }),
      );
      expect(await find()).toEqual({ ...row, failures: 8, lockedUntil: later(9) });
      await fixture.store.presence.clear(...key);
      expect(await find()).toEqual(row);
      expect(await fixture.store.presence.countAttempt(...key)).toBe(1);
    });

    test('counts attempts if it was never enabled', async () => {
      const { row, key, find } = await newPresence('never');
      expect(await fixture.store.presence.countAttempt(...key)).toBe(1);
      expect(await fixture.store.presence.countAttempt(...key)).toBe(2);
      expect(await find()).toEqual({ ...row, mode: 'off', pinHash: null, failures: 2 });
    });
  });
}
