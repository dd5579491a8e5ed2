import { randomBytes } from 'node:crypto';
import { newId, type SourceContent, type SourceRow, type StoreChange } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { at, entry, type Fixture, later } from '../../test/fixture.ts';
import { planOf, scansOf } from '../../test/plan.ts';
import { oddText } from '../../test/runs.ts';
import { sourceOf } from '../../test/sources.ts';
import { eventRemovalStatement } from './sources.ts';

export function describeSources(fixture: Fixture): void {
  describe('sources', () => {
    test('are read as created, by namespace and workspace', async () => {
      const [{ workspace }, other] = [await fixture.newWorkspace('api'), await fixture.newWorkspace('none')];
      const [one, two] = [sourceOf(workspace.id, 'b'), sourceOf(workspace.id, 'a', odd)];
      const { sources } = fixture.store;
      for (const row of [one, two]) await sources.create(row, contentOf(), entry(workspace.id));
      await sources.create(sourceOf(other.workspace.id, 'a'), contentOf(), entry(other.workspace.id));
      expect(await sources.all(workspace.id)).toEqual([two, one]);
      expect(await sources.find(workspace.id, two.id)).toEqual(two);
      expect(await sources.find(other.workspace.id, two.id)).toBeUndefined();
      const revisions = await sources.revisions(workspace.id);
      expect(revisions.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
        [one, two].map(({ id }) => ({ id, revision: 1 })).sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
    });

    test('of one namespace are created once by concurrent requests', async () => {
      const { workspace } = await fixture.newWorkspace('taken');
      const { sources } = fixture.store;
      const rivals = Array.from({ length: 4 }, () => sourceOf(workspace.id, 'same'));
      const made = await Promise.all(
        rivals.map((row) => sources.create(row, contentOf(3, 1), entry(workspace.id))),
      );
      expect(made.filter(Boolean)).toHaveLength(1);
      const winner = rivals[made.indexOf(true)] as SourceRow;
      expect(await sources.all(workspace.id)).toEqual([winner]);
      expect((await fixture.store.audit.list(workspace.id, { limit: 10 })).items).toHaveLength(1);
      for (const row of rivals) {
        expect((await sources.readTools(row.contentId))?.length).toBe(row === winner ? 3 : undefined);
      }
    });

    test('have their old events removed without reading those of runs', async () => {
      const { workspace } = await fixture.newWorkspace('old');
      await fixture.sql(`
        insert into events (execution_id, source_id, seq, workspace_id, at, type, data)
        select 'exe_' || n % 100, null, n, '${workspace.id}', now(), 'call.completed', '{}' from generate_series(1, 20000) n
        union all
        select null, 'src_old', n, '${workspace.id}', now() - interval '1 year', 'source.refreshed', '{}' from generate_series(1, 30) n`);
      const values = [workspace.id, new Date(), 10];
      const scans = scansOf('events', await planOf(fixture, { ...eventRemovalStatement, values }));
      expect(scans.map(({ index }) => index)).toContain('events_of_sources');
      for (const { touched } of scans) expect(touched).toBeLessThanOrEqual(30);
      expect(await fixture.store.sources.removeEvents(workspace.id, new Date(), 100)).toBe(20);
    });

    test.each([
      [1, 0],
      [500, 3],
      [7, 70],
    ])('keep %d pieces of tools and %d of a document, byte for byte', async (tools, document) => {
      const { workspace } = await fixture.newWorkspace('content');
      const row = sourceOf(workspace.id, 'api');
      const content = contentOf(tools, document);
      // Larger than one statement should be.
      content.tools.push(new Uint8Array(randomBytes(3_000_000)));
      await fixture.store.sources.create(row, content, entry(workspace.id));
      const read = await fixture.store.sources.readTools(row.contentId);
      expect(read?.map((piece) => Buffer.from(piece).toString('base64'))).toEqual(
        content.tools.map((piece) => Buffer.from(piece).toString('base64')),
      );
      const pieces: Uint8Array[] = [];
      for await (const piece of fixture.store.sources.readDocument(row.contentId)) pieces.push(piece);
      expect(Buffer.compare(Buffer.concat(pieces), Buffer.concat(content.document))).toBe(0);
    });

    test('keep the other files of a document, which can be read one by one', async () => {
      const { workspace } = await fixture.newWorkspace('files');
      const row = sourceOf(workspace.id, 'api');
      const content = { ...contentOf(1, 2), files: contentOf(0, 70).document };
      await fixture.store.sources.create(row, content, entry(workspace.id));
      const pieces: Uint8Array[] = [];
      for await (const piece of fixture.store.sources.readFiles(row.contentId, { from: 3, count: 66 }))
        pieces.push(piece);
      expect(Buffer.concat(pieces).equals(Buffer.concat(content.files.slice(3, 69)))).toBe(true);
    });

    test('are updated only with the current revision, with or without content', async () => {
      const { workspace } = await fixture.newWorkspace('changed');
      const { sources } = fixture.store;
      const row = sourceOf(workspace.id, 'api');
      await sources.create(row, contentOf(3, 2), entry(workspace.id));
      const renamed = { ...row, name: oddText, revision: 2, updatedAt: later(5) };
      expect(await sources.replace(renamed, undefined, entry(workspace.id))).toBe(true);
      expect(await sources.replace({ ...renamed, name: 'late' }, undefined, entry(workspace.id))).toBe(false);
      expect(await sources.readTools(row.contentId)).toHaveLength(3);
      const chunks = await fixture.count('source_chunks');
      const loaded = { ...renamed, contentId: newId('con', at), revision: 3 };
      expect(await sources.replace(loaded, contentOf(4, 1), entry(workspace.id))).toBe(true);
      expect(await sources.find(workspace.id, row.id)).toEqual(loaded);
      expect(await sources.readTools(row.contentId)).toBeUndefined();
      expect(await sources.readTools(loaded.contentId)).toHaveLength(4);
      expect(await fixture.count('source_chunks')).toBe(chunks);
      expect(await sources.replace({ ...loaded, id: 'src_none' }, undefined, entry(workspace.id))).toBe(
        false,
      );
    });

    test('are removed once with their content, not from another workspace', async () => {
      const [{ workspace }, other] = [
        await fixture.newWorkspace('gone'),
        await fixture.newWorkspace('attacker'),
      ];
      const { sources } = fixture.store;
      const chunks = await fixture.count('source_chunks');
      const row = sourceOf(workspace.id, 'api');
      await sources.create(row, contentOf(3, 2), entry(workspace.id));
      const foreign = () => entry(other.workspace.id);
      expect(await sources.remove(other.workspace.id, row.id, foreign())).toBe(false);
      const stolen = { ...row, workspaceId: other.workspace.id, revision: 2 };
      expect(await sources.replace(stolen, undefined, foreign())).toBe(false);
      const remove = () => sources.remove(workspace.id, row.id, entry(workspace.id));
      expect([await remove(), await remove()]).toEqual([true, false]);
      expect(await fixture.count('source_chunks')).toBe(chunks);
      expect((await fixture.store.audit.list(other.workspace.id, { limit: 10 })).items).toEqual([]);
    });

    test('report an error if the document is removed while it is read', async () => {
      const { workspace } = await fixture.newWorkspace('vanishing');
      const row = sourceOf(workspace.id, 'api');
      await fixture.store.sources.create(row, contentOf(1, 200), entry(workspace.id));
      const reading = fixture.store.sources.readDocument(row.contentId)[Symbol.asyncIterator]();
      await reading.next();
      await fixture.store.sources.remove(workspace.id, row.id, entry(workspace.id));
      const rest = async () => {
        while (!(await reading.next()).done);
      };
      await expect(rest()).rejects.toMatchObject({ code: 'gone' });
    });

    test('do not change if the audit entry cannot be written', async () => {
      const { workspace } = await fixture.newWorkspace('atomic');
      const { sources } = fixture.store;
      const row = sourceOf(workspace.id, 'api');
      await sources.create(row, contentOf(2, 2), entry(workspace.id));
      const taken = await fixture.takenEntry(workspace.id);
      const chunks = await fixture.count('source_chunks');
      const loaded = { ...row, contentId: newId('con', at), revision: 2 };
      await expect(sources.create(sourceOf(workspace.id, 'b'), contentOf(), taken)).rejects.toThrow();
      await expect(sources.replace(loaded, contentOf(9, 9), taken)).rejects.toThrow();
      await expect(sources.remove(workspace.id, row.id, taken)).rejects.toThrow();
      expect(await sources.all(workspace.id)).toEqual([row]);
      expect(await fixture.count('source_chunks')).toBe(chunks);
    });

    test('send a notice when they change', async () => {
      const { workspace } = await fixture.newWorkspace('notified');
      const { sources } = fixture.store;
      const notices: StoreChange[] = [];
      const unsubscribe = fixture.store.subscribe((change) => notices.push(change));
      const row = sourceOf(workspace.id, 'api');
      await sources.create(row, contentOf(), entry(workspace.id));
      await sources.create(sourceOf(workspace.id, 'api'), contentOf(), entry(workspace.id));
      await sources.replace({ ...row, revision: 2 }, undefined, entry(workspace.id));
      await sources.replace({ ...row, revision: 2 }, undefined, entry(workspace.id));
      await sources.remove(workspace.id, row.id, entry(workspace.id));
      await sources.remove(workspace.id, row.id, entry(workspace.id));
      unsubscribe();
      const change = { type: 'sources', workspaceId: workspace.id };
      expect(notices).toEqual([change, change, change]);
    });
  });
}

const odd: Partial<SourceRow> = {
  name: oddText,
  title: oddText,
  baseUrl: oddText,
  settings: { headers: { [oddText]: oddText } },
  auth: { type: 'bearer', token: oddText },
  edits: { [oddText]: { effect: 'read' } },
  unseen: [oddText],
  security: [{ name: oddText, type: 'http', scheme: 'bearer' }],
  warnings: [{ place: oddText, message: oddText }],
  document: { mediaType: oddText, bytes: 3, hash: 'x' },
};

function contentOf(tools = 1, document = 0): SourceContent {
  const pieces = (count: number) =>
    Array.from({ length: count }, (_, number) => new Uint8Array(randomBytes(1 + ((number * 977) % 40_000))));
  return { tools: pieces(tools), document: pieces(document), files: [] };
}
