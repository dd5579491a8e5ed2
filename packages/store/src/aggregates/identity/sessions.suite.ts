import type { StoreChange } from '@executor/engine';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  at,
  entry,
  type Fixture,
  later,
  linkOf,
  pages,
  publicKey,
  redemptionOf,
} from '../../../test/fixture.ts';

export function describeSessions(fixture: Fixture): void {
  const before = later(-1);
  const findLive = (label: string) =>
    fixture.store.sessions.findLive(`${label}-cookie`, { now: at, usedAfter: before });

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
        publicKey,
        userAgent: expect.stringMatching(/^Browser raced\d$/),
        openedAt: at,
        lastUsedAt: at,
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

    test('are found by their cookie until they expire or are not used for long', async () => {
      const { link } = await fixture.newLink('found');
      const session = await fixture.redeem(link.codeHash, 'found');
      const { sessions } = fixture.store;
      const find = (cookie: string, now: Date, usedAfter: Date) =>
        sessions.findLive(cookie, { now, usedAfter });
      expect(await find('found-cookie', later(8_999), before)).toEqual(session);
      expect(await find('other-cookie', later(1), before)).toBeUndefined();
      expect(await find('found-cookie', later(9_000), before)).toBeUndefined();
      expect(await find('found-cookie', later(5), at)).toBeUndefined();
      await sessions.touch(link.id, later(4));
      expect(await find('found-cookie', later(5), at)).toEqual({ ...session, lastUsedAt: later(4) });
      expect(await sessions.isLive(link.id, { now: later(5), usedAfter: at })).toBe(true);
      expect(await sessions.isLive(link.id, { now: later(5), usedAfter: later(4) })).toBe(false);
    });

    test('are ended once, only by their owner', async () => {
      const { link } = await fixture.newLink('ended');
      await fixture.redeem(link.codeHash, 'ended');
      const other = await fixture.newWorkspace('other');
      const end = (owner: { workspaceId: string; actorId: string }) =>
        fixture.store.sessions.end(owner, link.id, entry(owner.workspaceId, { action: 'session.ended' }));
      expect(await end({ workspaceId: other.workspace.id, actorId: link.actorId })).toBe(false);
      expect(await end({ workspaceId: link.workspaceId, actorId: other.actor.id })).toBe(false);
      expect(await findLive('ended')).toBeDefined();
      expect([await end(link), await end(link)]).toEqual([true, false]);
      expect(await findLive('ended')).toBeUndefined();
      expect(await fixture.store.audit.list(other.workspace.id, { limit: 10 })).toEqual({ items: [] });
    });

    test('are listed for their owner, newest first, and all ended together with unused links', async () => {
      const tenant = await fixture.newWorkspace('listed');
      const [first, second, unused] = [
        linkOf(tenant, 'first'),
        linkOf(tenant, 'second'),
        linkOf(tenant, 'unused'),
      ];
      for (const link of [first, second, unused]) await fixture.createLink(link);
      for (const link of [first, second]) await fixture.redeem(link.codeHash, link.codeHash);
      const { link: foreign } = await fixture.newLink('foreign');
      await fixture.redeem(foreign.codeHash, 'foreign');
      const list = (page: { limit: number; cursor?: string }) =>
        fixture.store.sessions.list(first, { now: at, usedAfter: before }, page);
      const newestFirst = [first, second]
        .map(({ id }) => id)
        .sort()
        .reverse();
      expect((await list({ limit: 10 })).items.map(({ id }) => id)).toEqual(newestFirst);
      expect((await pages(list)).map((items) => items.length)).toEqual([2]);

      const endAll = () =>
        fixture.store.sessions.endAll(first, at, (target) =>
          entry(first.workspaceId, { action: 'session.ended', target }),
        );
      expect([await endAll(), await endAll()]).toEqual([2, 0]);
      expect(await list({ limit: 10 })).toEqual({ items: [] });
      expect(await fixture.redeem(unused.codeHash, 'unused')).toBeUndefined();
      expect(await findLive('foreign')).toBeDefined();
      const log = await fixture.store.audit.list(first.workspaceId, { limit: 10 });
      const ended = log.items.filter(({ action }) => action === 'session.ended');
      expect(ended.map(({ target }) => target).sort()).toEqual(newestFirst.toReversed());
    });

    test('tell listeners that they were ended', async () => {
      const { link } = await fixture.newLink('heard');
      await fixture.redeem(link.codeHash, 'heard');
      const heard: StoreChange[] = [];
      onTestFinished(fixture.store.subscribe((change) => heard.push(change)));
      await fixture.store.sessions.end(link, link.id, entry(link.workspaceId));
      const change = { type: 'sessions', workspaceId: link.workspaceId };
      await expect.poll(() => heard).toContainEqual(change);
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
      expect(await findLive('opened')).toBeDefined();
      await fixture.store.apiKeys.revoke(key.workspaceId, key.id, entry(key.workspaceId));
      expect(await findLive('opened')).toBeUndefined();
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
