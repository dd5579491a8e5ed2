import type { Principal } from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import type { Installation, Store } from '../ports/store.ts';
import { type OAuthIdentity, oauthAgent } from './oauth-agent.ts';

interface Dependencies {
  store: Pick<Store, 'audit'>;
  installation: Installation;
  now: () => Date;
}

const maxRemembered = 10_000;

/**
 * Whoever comes with a token of the authorization server. Nobody here made them, as a person makes a key, so the audit says when each first
 * came and who that is: everywhere else there is only the id.
 */
export class OAuthClients {
  readonly #dependencies: Dependencies;
  readonly #noted = new Set<string>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** The agent that a verified token stands for. */
  async admit(identity: OAuthIdentity): Promise<Principal> {
    const { installation } = this.#dependencies;
    const principal = oauthAgent(installation.owner, identity);
    const id = principal.oauthId as string;
    if (!this.#noted.has(id)) await this.#note(principal, identity);
    return principal;
  }

  async #note(principal: Principal, identity: OAuthIdentity): Promise<void> {
    const { store, now } = this.#dependencies;
    const target = principal.oauthId as string;
    await store.audit.note(
      auditEntry(principal, now(), { action: 'oauth.clientAdmitted', target, details: shortened(identity) }),
    );
    if (this.#noted.size >= maxRemembered) this.#noted.clear();
    this.#noted.add(target);
  }
}

function shortened(identity: OAuthIdentity): Record<string, string> {
  return Object.fromEntries(Object.entries(identity).map(([name, value]) => [name, value.slice(0, 300)]));
}
