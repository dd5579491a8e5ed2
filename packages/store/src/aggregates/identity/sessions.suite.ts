import { describe, expect, test } from 'vitest';
import { at, entry, type Fixture, later, linkOf, redemptionOf } from '../../../test/fixture.ts';

export function describeSessions(fixture: Fixture): void {
  describe('sessions', () => {
    test('are opened once by concurrent uses of a link', async () => {
      const { link } = await fixture.newLink('raced');
      const opened = await Promise.all(
        Array.from({ length: 6 }, (_, number) => fixture.redeem(link.codeHash, `raced${number}`)),
      );
      const session = {
        id: link.id,
        workspaceId: link.workspaceId,
        actorId: link.actorId,
        expiresAt: later(9_000),
      };
      expect(opened.filter((answer) => answer !== undefined)).toEqual([session]);
      const log = await fixture.store.audit.list(link.workspaceId, { limit: 10 });
      expect(log.items.map(({ action, target }) => `${action} ${target}`).sort()).toEqual([
        `session.linkCreated ${link.id}`,
        `session.opened ${link.id}`,
      ]);
    });

    test('are not opened by an expired or unknown link', async () => {
      const { link } = await fixture.newLink('late');
      expect(await fixture.redeem(link.codeHash, 'late', link.expiresAt)).toBeUndefined();
      expect(await fixture.redeem('no such code', 'never')).toBeUndefined();
      const { items } = await fixture.store.audit.list(link.workspaceId, { limit: 10 });
      expect(items.map(({ action }) => action)).toEqual(['session.linkCreated']);
    });

    test('are found by cookie and token together until they expire', async () => {
      const { link } = await fixture.newLink('found');
      const session = await fixture.redeem(link.codeHash, 'found');
      const find = (cookie: string, token: string, now: Date) =>
        fixture.store.sessions.findLive(cookie, token, now);
      expect(await find('found-cookie', 'found-token', later(8_999))).toEqual(session);
      expect(await find('found-cookie', 'other-token', later(1))).toBeUndefined();
      expect(await find('other-cookie', 'found-token', later(1))).toBeUndefined();
      expect(await find('found-cookie', 'found-token', later(9_000))).toBeUndefined();
    });

    test('are ended once, only from their own workspace', async () => {
      const { link } = await fixture.newLink('ended');
      await fixture.redeem(link.codeHash, 'ended');
      const other = await fixture.newWorkspace('other');
      const end = (workspaceId: string) =>
        fixture.store.sessions.end(workspaceId, link.id, entry(workspaceId, { action: 'session.ended' }));
      expect(await end(other.workspace.id)).toBe(false);
      expect(await fixture.store.sessions.findLive('ended-cookie', 'ended-token', at)).toBeDefined();
      expect([await end(link.workspaceId), await end(link.workspaceId)]).toEqual([true, false]);
      expect(await fixture.store.sessions.findLive('ended-cookie', 'ended-token', at)).toBeUndefined();
      expect(await fixture.store.audit.list(other.workspace.id, { limit: 10 })).toEqual({ items: [] });
    });

    test('do not use up their link if the audit entry cannot be written', async () => {
      const { link } = await fixture.newLink('unused');
      const taken = await fixture.takenEntry(link.workspaceId);
      const redemption = redemptionOf(link.codeHash, 'unused', at);
      await expect(fixture.store.sessions.redeem(redemption, () => taken)).rejects.toThrow();
      expect(await fixture.redeem(link.codeHash, 'unused')).toBeDefined();
    });

    test('end with the key that created their link, like unused links', async () => {
      const { key } = await fixture.newKey('revoked');
      const tenant = { workspace: { id: key.workspaceId }, actor: { id: key.actorId } };
      const [opened, unused] = [linkOf(tenant, 'opened'), linkOf(tenant, 'waiting')];
      for (const link of [opened, unused]) await fixture.createLink({ ...link, apiKeyId: key.id });
      await fixture.redeem(opened.codeHash, 'opened');
      expect(await fixture.store.sessions.findLive('opened-cookie', 'opened-token', at)).toBeDefined();
      await fixture.store.apiKeys.revoke(key.workspaceId, key.id, entry(key.workspaceId));
      expect(await fixture.store.sessions.findLive('opened-cookie', 'opened-token', at)).toBeUndefined();
      expect(await fixture.redeem(unused.codeHash, 'waiting')).toBeUndefined();
    });

    test('survive the creation of the next link, which removes expired links and sessions', async () => {
      const tenant = await fixture.newWorkspace('swept');
      const [live, stale, over] = [linkOf(tenant, 'live'), linkOf(tenant, 'stale'), linkOf(tenant, 'over')];
      for (const link of [live, stale, over]) await fixture.createLink(link);
      await fixture.redeem(live.codeHash, 'live', at, later(1_000_000));
      await fixture.redeem(over.codeHash, 'over', at, later(9_000));
      const next = { ...linkOf(tenant, 'next'), createdAt: later(10_000), expiresAt: later(20_000) };
      await fixture.createLink(next);
      const { rows } = await fixture.sql(
        `select id from sessions where workspace_id = '${tenant.workspace.id}' order by id`,
      );
      expect(rows).toEqual([live, next].map(({ id }) => ({ id })).sort((a, b) => (a.id < b.id ? -1 : 1)));
    });
  });
}
