import { ExecutorError, type Principal, type Settings, type SettingsChange } from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import type { Place, Store } from '../ports/store.ts';

interface Dependencies {
  store: Pick<Store, 'workspaces'>;
  now: () => Date;
}

export class Workspaces {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;

  constructor({ store, now }: Dependencies) {
    this.#store = store;
    this.#now = now;
  }

  async describe({ workspaceId, actorId }: Principal): Promise<Place> {
    const place = await this.#store.workspaces.describe(workspaceId, actorId);
    if (place) return place;
    throw new ExecutorError('notFound', `The workspace ${workspaceId} is not in the database any more.`);
  }

  async settings(principal: Principal): Promise<Settings> {
    const { workspace } = await this.describe(principal);
    return { workspaceName: workspace.name };
  }

  async changeSettings(principal: Principal, { workspaceName }: SettingsChange): Promise<Settings> {
    if (workspaceName !== undefined) {
      const { workspace } = await this.describe(principal);
      const details = { workspaceName: { from: workspace.name, to: workspaceName } };
      const audit = auditEntry(principal, this.#now(), {
        action: 'settings.changed',
        target: workspace.id,
        details,
      });
      await this.#store.workspaces.rename(workspace.id, workspaceName, audit);
    }
    return this.settings(principal);
  }
}
