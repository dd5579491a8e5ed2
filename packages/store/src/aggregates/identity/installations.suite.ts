import { describe, expect, test } from 'vitest';
import { at, type Fixture, newAccount, provisioned } from '../../../test/fixture.ts';

export function describeInstallations(fixture: Fixture): void {
  describe('installation', () => {
    test('does not exist before the first provisioning', async () => {
      expect(await fixture.store.installations.find()).toBeUndefined();
    });

    test('is provisioned once by concurrent first starts', async () => {
      const accounts = Array.from({ length: 8 }, (_, number) => newAccount(`first${number}`));
      const answers = await Promise.all(
        accounts.map((account) => fixture.store.installations.provision(account, provisioned(account))),
      );
      const found = await fixture.store.installations.find();
      const winner = accounts.find(({ installationId }) => installationId === found?.id);
      expect(found).toEqual({
        id: winner?.installationId,
        createdAt: at,
        owner: { actorId: winner?.actor.id, workspaceId: winner?.workspace.id },
      });
      expect(answers).toEqual(accounts.map(() => found));
      expect(await fixture.count('organizations')).toBe(1);
      expect(await fixture.count('audit')).toBe(1);
    });

    test('has one signing key, the first that was offered', async () => {
      const candidates = ['a', 'b', 'c', 'd'];
      const keys = await Promise.all(
        candidates.map((candidate) => fixture.store.installations.stateKey(candidate)),
      );
      expect(candidates).toContain(keys[0]);
      expect(new Set(keys).size).toBe(1);
      expect(await fixture.store.installations.stateKey('later')).toBe(keys[0]);
    });

    test('does not change when it is provisioned again', async () => {
      const before = await fixture.store.installations.find();
      const again = newAccount('again');
      expect(await fixture.store.installations.provision(again, provisioned(again))).toEqual(before);
      expect(await fixture.count('workspaces')).toBe(1);
    });
  });
}
