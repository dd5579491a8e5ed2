import { describe, expect, test } from 'vitest';
import { entry, type Fixture, keyOf, later, pages, shown } from '../../../test/fixture.ts';

export function describeApiKeys(fixture: Fixture): void {
  describe('API keys', () => {
    test('are found by their hash and do not show it', async () => {
      const { key } = await fixture.newKey('found');
      expect(await fixture.store.apiKeys.findLive(key.hash)).toEqual(shown(key));
      expect(await fixture.store.apiKeys.findLive('another hash')).toBeUndefined();
    });

    test('record when they were last used', async () => {
      const { key } = await fixture.newKey('used');
      await fixture.store.apiKeys.touch(key.id, later(5));
      expect(await fixture.store.apiKeys.findLive(key.hash)).toEqual({ ...shown(key), lastUsedAt: later(5) });
    });

    test('can be allowed the client dialog until they are revoked, in their own workspace, with an audit entry', async () => {
      const { key, created } = await fixture.newKey('dialog');
      const { workspace } = await fixture.newWorkspace('elsewhere');
      const { setAllowDialog, findLiveById, findLive, revoke } = fixture.store.apiKeys;
      const changed = entry(key.workspaceId, { action: 'apiKey.changed' });
      expect(await setAllowDialog(workspace.id, key.id, true, entry(workspace.id))).toBeUndefined();
      expect(await findLiveById(workspace.id, key.id)).toBeUndefined();
      expect(await findLive(key.hash)).toEqual(shown(key));
      const allowed = { ...shown(key), allowDialog: true };
      expect(await setAllowDialog(key.workspaceId, key.id, true, changed)).toEqual(allowed);
      expect(await findLiveById(key.workspaceId, key.id)).toEqual(allowed);
      await expect(
        setAllowDialog(key.workspaceId, key.id, false, await fixture.takenEntry(key.workspaceId)),
      ).rejects.toThrow();
      expect(await findLive(key.hash)).toEqual(allowed);
      await revoke(key.workspaceId, key.id, entry(key.workspaceId));
      expect(await findLiveById(key.workspaceId, key.id)).toBeUndefined();
      expect(await setAllowDialog(key.workspaceId, key.id, false, entry(key.workspaceId))).toBeUndefined();
      const { items } = await fixture.store.audit.list(key.workspaceId, { limit: 10 });
      const actions = items.map(({ action }) => action);
      expect(actions.filter((action) => action === 'apiKey.changed')).toHaveLength(1);
      expect(actions).toContain(created.action);
    });

    test('are revoked once, with one audit entry', async () => {
      const { key, created } = await fixture.newKey('revoked');
      const audit = entry(key.workspaceId, { action: 'apiKey.revoked', at: later(7), target: key.id });
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, number) =>
          fixture.store.apiKeys.revoke(key.workspaceId, key.id, { ...audit, id: `${audit.id}${number}` }),
        ),
      );
      expect(answers.filter((revoked) => revoked)).toEqual([{ runs: 0, questions: 0 }]);
      expect(await fixture.store.apiKeys.findLive(key.hash)).toBeUndefined();
      const { items } = await fixture.store.apiKeys.list(key.workspaceId, { limit: 10 });
      expect(items).toEqual([{ ...shown(key), revokedAt: later(7) }]);
      const log = await fixture.store.audit.list(key.workspaceId, { limit: 10 });
      expect(log.items.map(({ action }) => action)).toEqual(['apiKey.revoked', created.action]);
    });

    test('cannot be revoked from another workspace', async () => {
      const { key } = await fixture.newKey('guarded');
      const { workspace } = await fixture.newWorkspace('attacker');
      expect(await fixture.store.apiKeys.revoke(workspace.id, key.id, entry(workspace.id))).toBeUndefined();
      expect(await fixture.store.apiKeys.findLive(key.hash)).toEqual(shown(key));
      expect(await fixture.store.audit.list(workspace.id, { limit: 10 })).toEqual({ items: [] });
    });

    test('are neither created nor revoked if the audit entry cannot be written', async () => {
      const { key } = await fixture.newKey('atomic');
      const taken = await fixture.takenEntry(key.workspaceId);
      const second = { ...key, id: `${key.id}2`, hash: `${key.hash}2` };
      await expect(fixture.store.apiKeys.create(second, taken)).rejects.toThrow();
      await expect(fixture.store.apiKeys.revoke(key.workspaceId, key.id, taken)).rejects.toThrow();
      expect(await fixture.store.apiKeys.list(key.workspaceId, { limit: 10 })).toEqual({
        items: [shown(key)],
      });
    });

    test('have unique hashes', async () => {
      const { key } = await fixture.newKey('same');
      const second = { ...key, id: `${key.id}2` };
      await expect(fixture.store.apiKeys.create(second, entry(key.workspaceId))).rejects.toMatchObject({
        code: '23505',
      });
    });

    test('are listed by workspace, newest first, in pages', async () => {
      const { workspace, actor } = await fixture.newWorkspace('listed');
      await fixture.newKey('elsewhere');
      const keys = Array.from({ length: 5 }, (_, number) => keyOf(workspace.id, actor.id, `page${number}`));
      for (const key of keys) await fixture.store.apiKeys.create(key, entry(workspace.id));
      const newestFirst = keys.map(shown).sort((a, b) => (a.id < b.id ? 1 : -1));
      expect(await pages((page) => fixture.store.apiKeys.list(workspace.id, page))).toEqual([
        newestFirst.slice(0, 2),
        newestFirst.slice(2, 4),
        newestFirst.slice(4),
      ]);
    });
  });
}
