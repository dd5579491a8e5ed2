import { describe, expect, test } from 'vitest';
import { entry, type Fixture, later, pages } from '../../test/fixture.ts';

export function describeAudit(fixture: Fixture): void {
  describe('audit', () => {
    test('lists the entries of a workspace, newest first, in pages', async () => {
      const [{ workspace }, other] = [
        await fixture.newWorkspace('logged'),
        await fixture.newWorkspace('unlogged'),
      ];
      const entries = Array.from({ length: 5 }, (_, number) =>
        entry(workspace.id, {
          at: later(number),
          target: `t${number}`,
          details: { nested: { number, text: 'é\n' } },
        }),
      );
      for (const audit of entries)
        await fixture.store.workspaces.change(workspace.id, { name: 'Logged' }, audit);
      await fixture.store.workspaces.change(other.workspace.id, { name: 'Other' }, entry(other.workspace.id));
      const newestFirst = [...entries].sort((a, b) => (a.id < b.id ? 1 : -1));
      expect(await pages((page) => fixture.store.audit.list(workspace.id, page))).toEqual([
        newestFirst.slice(0, 2),
        newestFirst.slice(2, 4),
        newestFirst.slice(4),
      ]);
    });

    test('records events without a change once per action, target and workspace', async () => {
      const [here, there] = [await fixture.newWorkspace('noting'), await fixture.newWorkspace('noting too')];
      const note = (workspaceId: string, action: string, target: string) =>
        fixture.store.audit.note(entry(workspaceId, { action, target }));
      await note(here.workspace.id, 'seen', 'a');
      await note(here.workspace.id, 'seen', 'a');
      await note(here.workspace.id, 'seen', 'b');
      await note(here.workspace.id, 'heard', 'a');
      await note(there.workspace.id, 'seen', 'a');
      const noted = async (workspaceId: string) => {
        const { items } = await fixture.store.audit.list(workspaceId, { limit: 10 });
        return items.map(({ action, target }) => `${action} ${target}`).toSorted();
      };
      expect(await noted(here.workspace.id)).toEqual(['heard a', 'seen a', 'seen b']);
      expect(await noted(there.workspace.id)).toEqual(['seen a']);
    });

    test.each([
      ['changed', `update audit set action = 'nothing'`],
      ['removed', 'delete from audit'],
      ['removed where nothing would match', `delete from audit where id = 'none'`],
      ['emptied', 'truncate audit'],
    ])('refuses to be %s', async (_, statement) => {
      const before = await fixture.count('audit');
      await expect(fixture.sql(statement)).rejects.toMatchObject({ code: '23001' });
      expect(await fixture.count('audit')).toBe(before);
    });
  });
}
