import type { Principal } from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import type { Installation, Store } from '../ports/store.ts';
import { type OAuthIdentity, oauthAgent } from './oauth-agent.ts';

interface Dependencies {
  store: Pick<Store, 'audit'>;
  installation: Installation;
  now: () => Date;
}

const maxRecorded = 10_000;

/**
 * The clients that authenticate with a token of the authorization server. No user creates them here, unlike keys, so the audit records the
 * first request of each client with its identity. Everywhere else only the id appears.
 */
export class OAuthClients {
  readonly #dependencies: Dependencies;
  readonly #recorded = new Set<string>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** The agent of a verified token. */
  async admit(identity: OAuthIdentity): Promise<Principal> {
    const { installation } = this.#dependencies;
    const principal = oauthAgent(installation.owner, identity);
    const id = principal.oauthId as string;
    if (!this.#recorded.has(id)) await this.#recordFirstUse(principal, identity);
    return principal;
  }

  async #recordFirstUse(principal: Principal, identity: OAuthIdentity): Promise<void> {
    const { store, now } = this.#dependencies;
    const target = principal.oauthId as string;
    await store.audit.note(
      auditEntry(principal, now(), { action: 'oauth.clientAdmitted', target, details: shortened(identity) }),
    );
    if (this.#recorded.size >= maxRecorded) this.#recorded.clear();
    this.#recorded.add(target);
  }
}

function shortened(identity: OAuthIdentity): Record<string, string> {
  return Object.fromEntries(Object.entries(identity).map(([name, value]) => [name, value.slice(0, 300)]));
}
