import { newId, type PolicyRow, type StoreChange } from '@executor/engine';
import { describe, expect, test } from 'vitest';
import { at, entry, type Fixture, later, pages } from '../../test/fixture.ts';
import { oddText } from '../../test/runs.ts';

export function describePolicies(fixture: Fixture): void {
  describe('policies', () => {
    test('are read as created, oldest first, by workspace', async () => {
      const [{ workspace }, other] = [
        await fixture.newWorkspace('ruled'),
        await fixture.newWorkspace('unruled'),
      ];
      const rules = [
        ruleOf(workspace.id, { createdAt: later(2), note: oddText }),
        ruleOf(workspace.id, {
          createdAt: later(1),
          scope: { type: 'client', clientId: oddText },
          conditions: [{ field: oddText, equals: { [oddText]: [oddText] } }],
        }),
      ];
      for (const rule of rules) await fixture.store.policies.create(rule, entry(workspace.id));
      await fixture.store.policies.create(ruleOf(other.workspace.id), entry(other.workspace.id));
      expect(await fixture.store.policies.all(workspace.id)).toEqual([rules[1], rules[0]]);
    });

    test('are listed newest first, in pages', async () => {
      const { workspace } = await fixture.newWorkspace('listed');
      const rules = Array.from({ length: 3 }, (_, number) =>
        ruleOf(workspace.id, { createdAt: later(number) }),
      );
      for (const rule of rules) await fixture.store.policies.create(rule, entry(workspace.id));
      expect(await pages((page) => fixture.store.policies.list(workspace.id, page))).toEqual([
        [rules[2], rules[1]],
        [rules[0]],
      ]);
    });

    test('change only in the fields of the update, with its time', async () => {
      const { workspace } = await fixture.newWorkspace('changed');
      const rule = ruleOf(workspace.id, { note: 'Why' });
      await fixture.store.policies.create(rule, entry(workspace.id));
      const audit = entry(workspace.id, { at: later(7), action: 'policy.updated' });
      const changed = { ...rule, decision: 'deny', updatedAt: later(7) };
      const change = { decision: 'deny', pattern: undefined } as const;
      expect(await fixture.store.policies.update(workspace.id, rule.id, change, audit)).toEqual(changed);
      expect(await fixture.store.policies.all(workspace.id)).toEqual([changed]);
      expect(
        await fixture.store.policies.update(workspace.id, 'pol_none', change, entry(workspace.id)),
      ).toBeUndefined();
    });

    test('are removed once, and cannot be changed or removed from another workspace', async () => {
      const [{ workspace }, other] = [
        await fixture.newWorkspace('guarded'),
        await fixture.newWorkspace('attacker'),
      ];
      const rule = ruleOf(workspace.id);
      await fixture.store.policies.create(rule, entry(workspace.id));
      const { policies, audit } = fixture.store;
      const foreign = () => entry(other.workspace.id);
      expect(await policies.remove(other.workspace.id, rule.id, foreign())).toBe(false);
      expect(await policies.update(other.workspace.id, rule.id, { note: 'x' }, foreign())).toBeUndefined();
      expect(await policies.all(workspace.id)).toEqual([rule]);
      expect(await audit.list(other.workspace.id, { limit: 10 })).toEqual({ items: [] });
      const remove = () => policies.remove(workspace.id, rule.id, entry(workspace.id));
      expect([await remove(), await remove()]).toEqual([true, false]);
      expect((await audit.list(workspace.id, { limit: 10 })).items).toHaveLength(2);
    });

    test('do not change if the audit entry cannot be written', async () => {
      const { workspace } = await fixture.newWorkspace('atomic');
      const rule = ruleOf(workspace.id);
      await fixture.store.policies.create(rule, entry(workspace.id));
      const taken = await fixture.takenEntry(workspace.id);
      const { policies } = fixture.store;
      await expect(policies.create(ruleOf(workspace.id), taken)).rejects.toThrow();
      await expect(policies.update(workspace.id, rule.id, { decision: 'deny' }, taken)).rejects.toThrow();
      await expect(policies.remove(workspace.id, rule.id, taken)).rejects.toThrow();
      expect(await policies.all(workspace.id)).toEqual([rule]);
    });

    test('send a notice when they change', async () => {
      const { workspace } = await fixture.newWorkspace('notified');
      const notices: StoreChange[] = [];
      const unsubscribe = fixture.store.subscribe((change) => notices.push(change));
      const rule = ruleOf(workspace.id);
      await fixture.store.policies.create(rule, entry(workspace.id));
      await fixture.store.policies.update(workspace.id, rule.id, { note: 'n' }, entry(workspace.id));
      await fixture.store.policies.remove(workspace.id, rule.id, entry(workspace.id));
      await fixture.store.policies.remove(workspace.id, rule.id, entry(workspace.id));
      unsubscribe();
      await fixture.store.policies.create(ruleOf(workspace.id), entry(workspace.id));
      const change = { type: 'policies', workspaceId: workspace.id };
      expect(notices).toEqual([change, change, change]);
    });
  });
}

function ruleOf(workspaceId: string, changes: Partial<PolicyRow> = {}): PolicyRow {
  const createdAt = changes.createdAt ?? at;
  return {
    id: newId('pol', createdAt),
    workspaceId,
    scope: { type: 'workspace' },
    pattern: 'github.issues.*',
    conditions: [],
    decision: 'allow',
    createdBy: 'act_1',
    createdAt,
    updatedAt: createdAt,
    ...changes,
  };
}
