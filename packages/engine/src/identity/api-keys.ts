import {
  type ApiKey,
  type CreatedApiKey,
  ExecutorError,
  type PageQuery,
  type Principal,
  type PrincipalKind,
} from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import { newId } from '../id.ts';
import type { ApiKeyRow, Store } from '../ports/store.ts';
import { hashSecret, newSecret } from './secret.ts';

interface Dependencies {
  store: Pick<Store, 'apiKeys'>;
  now: () => Date;
}

export class ApiKeys {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;

  constructor({ store, now }: Dependencies) {
    this.#store = store;
    this.#now = now;
  }

  async create(
    principal: Principal,
    { name, kind }: { name: string; kind: PrincipalKind },
  ): Promise<CreatedApiKey> {
    const at = this.#now();
    const key = newSecret(`ex${kind === 'agent' ? 'a' : 'p'}`);
    const row: ApiKeyRow = {
      id: newId('key', at),
      workspaceId: principal.workspaceId,
      actorId: principal.actorId,
      name,
      kind,
      hint: key.slice(-4),
      createdAt: at,
      lastUsedAt: null,
      revokedAt: null,
    };
    const audit = auditEntry(principal, at, {
      action: 'apiKey.created',
      target: row.id,
      details: { name, kind },
    });
    await this.#store.apiKeys.create({ ...row, hash: hashSecret(key) }, audit);
    return { ...toApiKey(row), key };
  }

  async list({ workspaceId }: Principal, page: PageQuery): Promise<{ items: ApiKey[]; nextCursor?: string }> {
    const { items, ...rest } = await this.#store.apiKeys.list(workspaceId, page);
    return { items: items.map(toApiKey), ...rest };
  }

  async revoke(principal: Principal, id: string): Promise<void> {
    const audit = auditEntry(principal, this.#now(), { action: 'apiKey.revoked', target: id });
    if (await this.#store.apiKeys.revoke(principal.workspaceId, id, audit)) return;
    throw new ExecutorError(
      'notFound',
      `There is no API key "${id}" that could be revoked. \`executor keys ls\` lists them.`,
    );
  }
}

function toApiKey({ id, name, kind, hint, actorId, createdAt, lastUsedAt, revokedAt }: ApiKeyRow): ApiKey {
  return {
    id,
    name,
    kind,
    hint,
    actorId,
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
  };
}
