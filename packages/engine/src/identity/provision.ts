import { newId } from '../id.ts';
import type { Installation, Store } from '../ports/store.ts';

/** Creates a local account, its personal organization and a default workspace on the first start. Later starts find them. */
export async function provision(store: Store, accountName: string, now: () => Date): Promise<Installation> {
  const existing = await store.installations.find();
  if (existing) return existing;
  const at = now();
  const installationId = newId('ins', at);
  const actor = { id: newId('act', at), name: accountName };
  const workspace = { id: newId('ws', at), name: 'Default' };
  return store.installations.provision(
    { installationId, actor, workspace, organization: { id: newId('org', at), name: 'Personal' }, at },
    {
      id: newId('aud', at),
      workspaceId: workspace.id,
      actorId: actor.id,
      at,
      action: 'installation.provisioned',
      credential: 'system',
      target: installationId,
    },
  );
}
