import type { Principal } from '@executor/protocol';
import { ApiKeys } from './identity/api-keys.ts';
import { authenticate, type Credential } from './identity/authenticate.ts';
import { provision } from './identity/provision.ts';
import { Sessions } from './identity/sessions.ts';
import type { Installation, Store } from './ports/store.ts';
import { Workspaces } from './workspace/workspaces.ts';

/** Everything that decides, ready to use. */
export interface Engine {
  readonly store: Store;
  readonly installation: Installation;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly workspaces: Workspaces;
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
  return {
    store,
    installation,
    apiKeys: new ApiKeys({ store, now }),
    sessions: new Sessions({ store, now }),
    workspaces: new Workspaces({ store, now }),
    authenticate: (credential) => authenticate(credential, { store, installation, localToken, now }),
  };
}
