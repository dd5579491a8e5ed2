import type { ApiKeyRow, NewAccount, NewAuditEntry, Store } from '@executor/engine';
import { newId } from '@executor/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestStore } from '../test/test-database.ts';

const at = new Date('2026-11-15T12:00:00.123Z');
const later = (milliseconds: number) => new Date(at.getTime() + milliseconds);

/** What every store must do, whatever database it is on. */
export function describeStore(name: string, open: () => Promise<TestStore>): void {
  describe(`the store on ${name}`, () => {
    let opened: TestStore;
    let store: Store;

    beforeAll(async () => {
      opened = await open();
      store = opened.store;
    });
    afterAll(() => opened?.close());

    describe('installation', () => {
      test('is not there before the first provisioning', async () => {
        expect(await store.installations.find()).toBeUndefined();
      });

      test('is provisioned once by many first starts at once, which all get the same one', async () => {
        const accounts = Array.from({ length: 8 }, (_, number) => newAccount(`first${number}`));
        const answers = await Promise.all(
          accounts.map((account) => store.installations.provision(account, provisioned(account))),
        );
        const found = await store.installations.find();
        const winner = accounts.find(({ installationId }) => installationId === found?.id);
        expect(found).toEqual({
          id: winner?.installationId,
          createdAt: at,
          owner: { actorId: winner?.actor.id, workspaceId: winner?.workspace.id },
        });
        expect(answers).toEqual(accounts.map(() => found));
        expect(await count('organizations')).toBe(1);
        expect(await count('audit')).toBe(1);
      });

      test('stays what it was when it is provisioned again', async () => {
        const before = await store.installations.find();
        const again = newAccount('again');
        expect(await store.installations.provision(again, provisioned(again))).toEqual(before);
        expect(await count('workspaces')).toBe(1);
      });
    });

    describe('workspaces', () => {
      test('are described with their organization to a member', async () => {
        const place = await newPlace('described');
        expect(await store.workspaces.describe(place.workspace.id, place.actor.id)).toEqual({
          organization: place.organization,
          workspace: place.workspace,
          actor: place.actor,
        });
      });

      test('are not described to anyone who is not a member', async () => {
        const [mine, theirs] = [await newPlace('mine'), await newPlace('theirs')];
        expect(await store.workspaces.describe(mine.workspace.id, theirs.actor.id)).toBeUndefined();
      });

      test('are renamed together with the audit entry', async () => {
        const { workspace, actor } = await newPlace('renamed');
        const audit = entry(workspace.id, { action: 'settings.changed', details: { to: 'New name' } });
        await store.workspaces.rename(workspace.id, 'New name', audit);
        const place = await store.workspaces.describe(workspace.id, actor.id);
        expect(place?.workspace).toEqual({ id: workspace.id, name: 'New name' });
        expect(await store.audit.list(workspace.id, { limit: 10 })).toEqual({ items: [audit] });
      });

      test('keep their name where the audit entry cannot be written', async () => {
        const { workspace, actor } = await newPlace('kept');
        await expect(
          store.workspaces.rename(workspace.id, 'Lost', await takenEntry(workspace.id)),
        ).rejects.toThrow();
        const place = await store.workspaces.describe(workspace.id, actor.id);
        expect(place?.workspace).toEqual(workspace);
      });
    });

    describe('API keys', () => {
      test('are found by their hash, with everything but the hash', async () => {
        const { key } = await newKey('found');
        expect(await store.apiKeys.findLive(key.hash)).toEqual(shown(key));
        expect(await store.apiKeys.findLive('another hash')).toBeUndefined();
      });

      test('remember when they were used last', async () => {
        const { key } = await newKey('used');
        await store.apiKeys.touch(key.id, later(5));
        expect(await store.apiKeys.findLive(key.hash)).toEqual({ ...shown(key), lastUsedAt: later(5) });
      });

      test('are revoked at once and once, with one audit entry', async () => {
        const { key, created } = await newKey('revoked');
        const audit = entry(key.workspaceId, { action: 'apiKey.revoked', at: later(7), target: key.id });
        const answers = await Promise.all(
          Array.from({ length: 4 }, (_, number) =>
            store.apiKeys.revoke(key.workspaceId, key.id, { ...audit, id: `${audit.id}${number}` }),
          ),
        );
        expect(answers.filter((revoked) => revoked)).toEqual([true]);
        expect(await store.apiKeys.findLive(key.hash)).toBeUndefined();
        const { items } = await store.apiKeys.list(key.workspaceId, { limit: 10 });
        expect(items).toEqual([{ ...shown(key), revokedAt: later(7) }]);
        const log = await store.audit.list(key.workspaceId, { limit: 10 });
        expect(log.items.map(({ action }) => action)).toEqual(['apiKey.revoked', created.action]);
      });

      test('are not revoked from another workspace', async () => {
        const { key } = await newKey('guarded');
        const { workspace } = await newPlace('attacker');
        expect(await store.apiKeys.revoke(workspace.id, key.id, entry(workspace.id))).toBe(false);
        expect(await store.apiKeys.findLive(key.hash)).toEqual(shown(key));
        expect(await store.audit.list(workspace.id, { limit: 10 })).toEqual({ items: [] });
      });

      test('are neither made nor revoked where the audit entry cannot be written', async () => {
        const { key } = await newKey('atomic');
        const taken = await takenEntry(key.workspaceId);
        const second = { ...key, id: `${key.id}2`, hash: `${key.hash}2` };
        await expect(store.apiKeys.create(second, taken)).rejects.toThrow();
        await expect(store.apiKeys.revoke(key.workspaceId, key.id, taken)).rejects.toThrow();
        expect(await store.apiKeys.list(key.workspaceId, { limit: 10 })).toEqual({ items: [shown(key)] });
      });

      test('have a hash that no other key has', async () => {
        const { key } = await newKey('same');
        const second = { ...key, id: `${key.id}2` };
        await expect(store.apiKeys.create(second, entry(key.workspaceId))).rejects.toMatchObject({
          code: '23505',
        });
      });

      test('are listed for their workspace alone, newest first, page by page', async () => {
        const { workspace, actor } = await newPlace('listed');
        await newKey('elsewhere');
        const keys = Array.from({ length: 5 }, (_, number) => keyOf(workspace.id, actor.id, `page${number}`));
        for (const key of keys) await store.apiKeys.create(key, entry(workspace.id));
        const newestFirst = keys.map(shown).sort((a, b) => (a.id < b.id ? 1 : -1));
        expect(await pages((page) => store.apiKeys.list(workspace.id, page))).toEqual([
          newestFirst.slice(0, 2),
          newestFirst.slice(2, 4),
          newestFirst.slice(4),
        ]);
      });
    });

    describe('sessions', () => {
      test('are opened by a link once, however many try at once', async () => {
        const { link } = await newLink('raced');
        const opened = await Promise.all(
          Array.from({ length: 6 }, (_, number) => redeem(link.codeHash, `raced${number}`)),
        );
        const session = {
          id: link.id,
          workspaceId: link.workspaceId,
          actorId: link.actorId,
          expiresAt: later(9_000),
        };
        expect(opened.filter((answer) => answer !== undefined)).toEqual([session]);
        const log = await store.audit.list(link.workspaceId, { limit: 10 });
        expect(log.items.map(({ action, target }) => ({ action, target }))).toEqual([
          { action: 'session.opened', target: link.id },
        ]);
      });

      test('are not opened by a link that has expired or never was', async () => {
        const { link } = await newLink('late');
        expect(await redeem(link.codeHash, 'late', link.expiresAt)).toBeUndefined();
        expect(await redeem('no such code', 'never')).toBeUndefined();
        expect(await store.audit.list(link.workspaceId, { limit: 10 })).toEqual({ items: [] });
      });

      test('are found by cookie and token together until they expire', async () => {
        const { link } = await newLink('found');
        const session = await redeem(link.codeHash, 'found');
        const find = (cookie: string, token: string, now: Date) =>
          store.sessions.findLive(cookie, token, now);
        expect(await find('found-cookie', 'found-token', later(8_999))).toEqual(session);
        expect(await find('found-cookie', 'other-token', later(1))).toBeUndefined();
        expect(await find('other-cookie', 'found-token', later(1))).toBeUndefined();
        expect(await find('found-cookie', 'found-token', later(9_000))).toBeUndefined();
      });

      test('end at once and once, only in their own workspace', async () => {
        const { link } = await newLink('ended');
        await redeem(link.codeHash, 'ended');
        const other = await newPlace('stranger');
        const end = (workspaceId: string) =>
          store.sessions.end(workspaceId, link.id, entry(workspaceId, { action: 'session.ended' }));
        expect(await end(other.workspace.id)).toBe(false);
        expect(await store.sessions.findLive('ended-cookie', 'ended-token', at)).toBeDefined();
        expect([await end(link.workspaceId), await end(link.workspaceId)]).toEqual([true, false]);
        expect(await store.sessions.findLive('ended-cookie', 'ended-token', at)).toBeUndefined();
        expect(await store.audit.list(other.workspace.id, { limit: 10 })).toEqual({ items: [] });
      });

      test('leave their link unused where the audit entry cannot be written', async () => {
        const { link } = await newLink('unused');
        const taken = await takenEntry(link.workspaceId);
        const redemption = redemptionOf(link.codeHash, 'unused', at);
        await expect(store.sessions.redeem(redemption, () => taken)).rejects.toThrow();
        expect(await redeem(link.codeHash, 'unused')).toBeDefined();
      });

      test('go on living when the next link is made, while unused links and sessions past their time are swept away', async () => {
        const place = await newPlace('swept');
        const [live, stale, over] = [linkOf(place, 'live'), linkOf(place, 'stale'), linkOf(place, 'over')];
        for (const link of [live, stale, over]) await store.sessions.createLink(link);
        await redeem(live.codeHash, 'live', at, later(1_000_000));
        await redeem(over.codeHash, 'over', at, later(9_000));
        const next = { ...linkOf(place, 'next'), createdAt: later(10_000), expiresAt: later(20_000) };
        await store.sessions.createLink(next);
        const { rows } = await sql(
          `select id from sessions where workspace_id = '${place.workspace.id}' order by id`,
        );
        expect(rows).toEqual([live, next].map(({ id }) => ({ id })).sort((a, b) => (a.id < b.id ? -1 : 1)));
      });
    });

    describe('audit', () => {
      test('gives back what was written, in the workspace alone, newest first, page by page', async () => {
        const [{ workspace }, other] = [await newPlace('logged'), await newPlace('unlogged')];
        const entries = Array.from({ length: 5 }, (_, number) =>
          entry(workspace.id, {
            at: later(number),
            target: `t${number}`,
            details: { nested: { number, text: 'é\n' } },
          }),
        );
        for (const audit of entries) await store.workspaces.rename(workspace.id, 'Logged', audit);
        await store.workspaces.rename(other.workspace.id, 'Other', entry(other.workspace.id));
        const newestFirst = [...entries].sort((a, b) => (a.id < b.id ? 1 : -1));
        expect(await pages((page) => store.audit.list(workspace.id, page))).toEqual([
          newestFirst.slice(0, 2),
          newestFirst.slice(2, 4),
          newestFirst.slice(4),
        ]);
      });

      test.each([
        ['changed', `update audit set action = 'nothing'`],
        ['removed', 'delete from audit'],
        ['removed where nothing would match', `delete from audit where id = 'none'`],
        ['emptied', 'truncate audit'],
      ])('refuses to be %s', async (_, statement) => {
        const before = await count('audit');
        await expect(sql(statement)).rejects.toMatchObject({ code: '23001' });
        expect(await count('audit')).toBe(before);
      });
    });

    test('knows that its database answers', () => {
      expect(store.isAvailable()).toBe(true);
    });

    const sql = (statement: string) => opened.database.withClient((client) => client.query(statement));

    async function count(table: string): Promise<number> {
      const { rows } = await sql(`select count(*)::integer as count from ${table}`);
      return rows[0].count;
    }

    /** A workspace beside the installation's own, as another tenant's would be. */
    async function newPlace(label: string) {
      const account = newAccount(label);
      const { organization, workspace, actor } = account;
      await sql(`
        insert into organizations (id, name, created_at) values ('${organization.id}', '${organization.name}', now());
        insert into workspaces (id, organization_id, name, created_at) values ('${workspace.id}', '${organization.id}', '${workspace.name}', now());
        insert into actors (id, kind, name, created_at) values ('${actor.id}', 'person', '${actor.name}', now());
        insert into memberships (workspace_id, actor_id, role, created_at) values ('${workspace.id}', '${actor.id}', 'owner', now())`);
      return { organization, workspace, actor };
    }

    async function newKey(label: string) {
      const { workspace, actor } = await newPlace(label);
      const key = keyOf(workspace.id, actor.id, label);
      const created = entry(workspace.id, { action: 'apiKey.created', target: key.id });
      await store.apiKeys.create(key, created);
      return { key, created };
    }

    async function newLink(label: string) {
      const link = linkOf(await newPlace(label), label);
      await store.sessions.createLink(link);
      return { link };
    }

    /** An entry whose id is in use, so that writing it fails. */
    async function takenEntry(workspaceId: string): Promise<NewAuditEntry> {
      const { workspace } = await newPlace('taken');
      const taken = entry(workspace.id);
      await store.workspaces.rename(workspace.id, 'Taken', taken);
      return { ...taken, workspaceId };
    }

    function redeem(codeHash: string, label: string, now = at, sessionExpiresAt = later(9_000)) {
      return store.sessions.redeem({ ...redemptionOf(codeHash, label, now), sessionExpiresAt }, (session) =>
        entry(session.workspaceId, { action: 'session.opened', target: session.id }),
      );
    }
  });
}

function newAccount(label: string): NewAccount {
  return {
    installationId: newId('ins', at),
    organization: { id: newId('org', at), name: `Organization ${label}` },
    workspace: { id: newId('ws', at), name: `Workspace ${label}` },
    actor: { id: newId('act', at), name: `Actor ${label}` },
    at,
  };
}

function provisioned({ workspace, actor }: NewAccount): NewAuditEntry {
  return entry(workspace.id, { action: 'installation.provisioned', actorId: actor.id });
}

function entry(workspaceId: string, changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const plain = {
    id: newId('aud', changes.at ?? at),
    workspaceId,
    at,
    action: 'thing.done',
    actorId: 'act_1',
    credential: 'localToken',
  };
  return { ...plain, ...changes };
}

type NewKey = Parameters<Store['apiKeys']['create']>[0];

function keyOf(workspaceId: string, actorId: string, label: string): NewKey {
  const id = newId('key', at);
  return {
    id,
    workspaceId,
    actorId,
    name: `Key ${label}`,
    kind: 'agent',
    hash: `hash of ${id}`,
    hint: 'wxyz',
    createdAt: at,
  };
}

function shown({ hash: _, ...key }: NewKey): ApiKeyRow {
  return { ...key, lastUsedAt: null, revokedAt: null };
}

function linkOf({ workspace, actor }: Pick<NewAccount, 'workspace' | 'actor'>, label: string) {
  const id = newId('ses', at);
  const codeHash = `${label}-${id}`;
  return {
    id,
    workspaceId: workspace.id,
    actorId: actor.id,
    codeHash,
    createdAt: at,
    expiresAt: later(5_000),
  };
}

function redemptionOf(codeHash: string, label: string, now: Date) {
  const [cookieHash, tokenHash] = [`${label}-cookie`, `${label}-token`];
  return { codeHash, cookieHash, tokenHash, now, sessionExpiresAt: later(9_000) };
}

/** All pages of a list, two items each. */
async function pages<Item>(
  list: (page: { limit: number; cursor?: string }) => Promise<{ items: Item[]; nextCursor?: string }>,
): Promise<Item[][]> {
  const found: Item[][] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 2, ...(cursor && { cursor }) });
    found.push(page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
}
