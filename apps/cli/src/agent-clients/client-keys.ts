import type { Client } from '@executor/client';
import { type ApiKey, ExecutorError } from '@executor/protocol';
import { PresenceProof } from '../answer/presence-proof.ts';
import type { Environment } from '../environment.ts';
import { remoteUrl } from '../server/access.ts';
import { connect } from '../server/connect.ts';
import type { Connection } from './connections.ts';

/** The keys in the entries of clients. Only a user can create and revoke them, as with `executor keys`. */
export class ClientKeys {
  readonly #environment: Environment;
  readonly #proof: PresenceProof;
  #client: Promise<Client> | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#proof = new PresenceProof(environment);
  }

  /** Creates an agent's key. With `allowDialog`, answers in the client's own dialog count as approvals. */
  async create(name: string, allowDialog: boolean): Promise<{ id: string; key: string }> {
    const client = await this.#connect();
    const newKey = { name, kind: 'agent' as const, ...(allowDialog && { allowDialog }) };
    return this.#proof.for((presence) => client.apiKeys.create(newKey, { presence }));
  }

  /** A key that does not exist any more counts as revoked. */
  async revoke({ keyId, server, path }: Pick<Connection, 'keyId' | 'server' | 'path'>): Promise<void> {
    if (keyId === undefined) return;
    if (server !== remoteUrl(this.#environment))
      throw new ExecutorError(
        'usage',
        `The key ${keyId}, which was written to ${path}, belongs to ${server ?? 'the daemon of this machine'} and still works. To revoke it, ${server ? `set EXECUTOR_URL to ${server}` : 'unset EXECUTOR_URL'}, then run \`executor connect --undo\` or \`executor keys rm\`.`,
      );
    const client = await this.#connect();
    try {
      await this.#proof.for((presence) => client.apiKeys.remove({ id: keyId }, { presence }));
    } catch (error) {
      if (!(error instanceof ExecutorError) || error.code !== 'notFound') throw error;
    }
  }

  /** The current state of a key. Undefined if it was revoked, or belongs to another server. */
  async findActive({ keyId, server }: Pick<Connection, 'keyId' | 'server'>): Promise<ApiKey | undefined> {
    if (keyId === undefined || server !== remoteUrl(this.#environment)) return undefined;
    const client = await this.#connect();
    let cursor: string | undefined;
    do {
      const page = await client.apiKeys.list({ limit: 200, cursor });
      const found = page.items.find(({ id }) => id === keyId);
      if (found) return found.revokedAt === undefined ? found : undefined;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return undefined;
  }

  #connect(): Promise<Client> {
    this.#client ??= connect(this.#environment);
    return this.#client;
  }
}
