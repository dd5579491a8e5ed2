import { describe, expect, test } from 'vitest';
import { entry, type Fixture } from '../../test/fixture.ts';

export function describeWorkspaces(fixture: Fixture): void {
  describe('workspaces', () => {
    test('are described with their organization to a member', async () => {
      const place = await fixture.newPlace('described');
      expect(await fixture.store.workspaces.describe(place.workspace.id, place.actor.id)).toEqual({
        organization: place.organization,
        workspace: place.workspace,
        actor: place.actor,
      });
    });

    test('are not described to anyone who is not a member', async () => {
      const [mine, theirs] = [await fixture.newPlace('mine'), await fixture.newPlace('theirs')];
      expect(await fixture.store.workspaces.describe(mine.workspace.id, theirs.actor.id)).toBeUndefined();
    });

    test('are renamed together with the audit entry', async () => {
      const { workspace, actor } = await fixture.newPlace('renamed');
      const audit = entry(workspace.id, { action: 'settings.changed', details: { to: 'New name' } });
      await fixture.store.workspaces.change(workspace.id, { name: 'New name' }, audit);
      const place = await fixture.store.workspaces.describe(workspace.id, actor.id);
      expect(place?.workspace).toEqual({ id: workspace.id, name: 'New name' });
      expect(await fixture.store.audit.list(workspace.id, { limit: 10 })).toEqual({ items: [audit] });
    });

    test('keep their name where the audit entry cannot be written', async () => {
      const { workspace, actor } = await fixture.newPlace('kept');
      await expect(
        fixture.store.workspaces.change(
          workspace.id,
          { name: 'Lost' },
          await fixture.takenEntry(workspace.id),
        ),
      ).rejects.toThrow();
      const place = await fixture.store.workspaces.describe(workspace.id, actor.id);
      expect(place?.workspace).toEqual(workspace);
    });
  });
}
