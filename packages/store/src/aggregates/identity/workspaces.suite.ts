import { describe, expect, test } from 'vitest';
import { entry, type Fixture } from '../../../test/fixture.ts';

export function describeWorkspaces(fixture: Fixture): void {
  describe('workspaces', () => {
    test('are described with their organization for a member', async () => {
      const tenant = await fixture.newWorkspace('described');
      expect(await fixture.store.workspaces.describe(tenant.workspace.id, tenant.actor.id)).toEqual({
        organization: tenant.organization,
        workspace: tenant.workspace,
        actor: tenant.actor,
      });
    });

    test('are not described for others', async () => {
      const [mine, theirs] = [await fixture.newWorkspace('mine'), await fixture.newWorkspace('theirs')];
      expect(await fixture.store.workspaces.describe(mine.workspace.id, theirs.actor.id)).toBeUndefined();
    });

    test('are renamed together with the audit entry', async () => {
      const { workspace, actor } = await fixture.newWorkspace('renamed');
      const audit = entry(workspace.id, { action: 'settings.changed', details: { to: 'New name' } });
      await fixture.store.workspaces.change(workspace.id, { name: 'New name' }, audit);
      const tenant = await fixture.store.workspaces.describe(workspace.id, actor.id);
      expect(tenant?.workspace).toEqual({ id: workspace.id, name: 'New name' });
      expect(await fixture.store.audit.list(workspace.id, { limit: 10 })).toEqual({ items: [audit] });
    });

    test('change only in the fields of the update', async () => {
      const { workspace, actor } = await fixture.newWorkspace('set');
      const { workspaces } = fixture.store;
      const change = (what: Parameters<typeof workspaces.change>[1]) =>
        workspaces.change(workspace.id, what, entry(workspace.id));
      expect(await workspaces.settings(workspace.id)).toEqual({});
      await change({ retentionDays: 7, limits: { calls: 5 } });
      await change({ limits: { cpuMs: 9, calls: undefined }, retentionDays: undefined });
      expect(await workspaces.settings(workspace.id)).toEqual({
        retentionDays: 7,
        limits: { calls: 5, cpuMs: 9 },
      });
      await change({ name: 'Set' });
      await Promise.all([change({ limits: { calls: 6 } }), change({ limits: { memoryMb: 8 } })]);
      expect(await workspaces.settings(workspace.id)).toEqual({
        retentionDays: 7,
        limits: { calls: 6, cpuMs: 9, memoryMb: 8 },
      });
      expect((await workspaces.describe(workspace.id, actor.id))?.workspace.name).toBe('Set');
      expect(await workspaces.settings('ws_none')).toEqual({});
    });

    test('are listed by id', async () => {
      const { workspace } = await fixture.newWorkspace('known');
      const ids = await fixture.store.workspaces.ids();
      expect(ids).toContain(workspace.id);
      expect(ids).toHaveLength(await fixture.count('workspaces'));
    });

    test('keep their name if the audit entry cannot be written', async () => {
      const { workspace, actor } = await fixture.newWorkspace('kept');
      await expect(
        fixture.store.workspaces.change(
          workspace.id,
          { name: 'Lost' },
          await fixture.takenEntry(workspace.id),
        ),
      ).rejects.toThrow();
      const tenant = await fixture.store.workspaces.describe(workspace.id, actor.id);
      expect(tenant?.workspace).toEqual(workspace);
    });
  });
}
