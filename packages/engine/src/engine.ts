import type { Principal } from '@executor/protocol';
import { Artifacts } from './artifact/artifacts.ts';
import { Executions } from './execution/executions.ts';
import { Worker } from './execution/worker.ts';
import { ApiKeys } from './identity/api-keys.ts';
import { authenticate, type Credential } from './identity/authenticate.ts';
import { provision } from './identity/provision.ts';
import { Sessions } from './identity/sessions.ts';
import { Interactions } from './interaction/interactions.ts';
import { Policies } from './policy/policies.ts';
import type { Installation, Store } from './ports/store.ts';
import { PresenceGuard } from './presence/presence-guard.ts';
import { InputValidator } from './validation/input-validator.ts';
import { Workspaces } from './workspace/workspaces.ts';

/** Everything that decides, ready to use. */
export interface Engine {
  readonly store: Store;
  readonly installation: Installation;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly workspaces: Workspaces;
  readonly executions: Executions;
  readonly artifacts: Artifacts;
  readonly interactions: Interactions;
  readonly policies: Policies;
  readonly presence: PresenceGuard;
  readonly worker: Worker;
  authenticate(credential: Credential): Promise<Principal | undefined>;
}

interface EngineOptions {
  store: Store;
  /** The secret that stands for the owner of this installation. */
  localToken: string;
  /** What to call the owner on a first start. */
  accountName: string;
  now?: () => Date;
}

export async function createEngine({
  store,
  localToken,
  accountName,
  now = () => new Date(),
}: EngineOptions): Promise<Engine> {
  const installation = await provision(store, accountName, now);
  const validator = new InputValidator();
  const presence = new PresenceGuard({ store, now });
  const policies = new Policies({ store, now, validator, findTool: async () => undefined });
  return {
    store,
    installation,
    apiKeys: new ApiKeys({ store, now }),
    sessions: new Sessions({ store, now }),
    workspaces: new Workspaces({ store, now }),
    executions: new Executions(),
    artifacts: new Artifacts(),
    interactions: new Interactions({ store, policies, presence, validator, now, baseUrl: () => '' }),
    policies,
    presence,
    worker: new Worker(),
    authenticate: (credential) => authenticate(credential, { store, installation, localToken, now }),
  };
}
