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
import type { ApiKeyRow, Revocation, Store } from '../ports/store.ts';
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
    { name, kind, allowDialog = false }: { name: string; kind: PrincipalKind; allowDialog?: boolean },
  ): Promise<CreatedApiKey> {
    if (allowDialog) requireAgentKey(kind);
    const at = this.#now();
    const key = newSecret(`ex${kind === 'agent' ? 'a' : 'p'}`);
    const row: ApiKeyRow = {
      id: newId('key', at),
      workspaceId: principal.workspaceId,
      actorId: principal.actorId,
      name,
      kind,
      hint: key.slice(-4),
      allowDialog,
      createdAt: at,
      lastUsedAt: null,
      revokedAt: null,
    };
    const audit = auditEntry(principal, at, {
      action: 'apiKey.created',
      target: row.id,
      details: { name, kind, allowDialog },
    });
    await this.#store.apiKeys.create({ ...row, hash: hashSecret(key) }, audit);
    return { ...toApiKey(row), key };
  }

  async list({ workspaceId }: Principal, page: PageQuery): Promise<{ items: ApiKey[]; nextCursor?: string }> {
    const { items, ...rest } = await this.#store.apiKeys.list(workspaceId, page);
    return { items: items.map(toApiKey), ...rest };
  }

  /** Sets whether the client that holds the key may answer approvals in its dialog. */
  async setAllowDialog(principal: Principal, id: string, allowDialog: boolean): Promise<ApiKey> {
    const { workspaceId } = principal;
    const { apiKeys } = this.#store;
    const key = await apiKeys.findLiveById(workspaceId, id);
    if (key === undefined) throw noSuchKey(id, 'changed');
    if (allowDialog) requireAgentKey(key.kind);
    if (key.allowDialog === allowDialog) return toApiKey(key);
    const audit = auditEntry(principal, this.#now(), {
      action: 'apiKey.changed',
      target: id,
      details: { allowDialog },
    });
    const changed = await apiKeys.setAllowDialog(workspaceId, id, allowDialog, audit);
    if (changed === undefined) throw noSuchKey(id, 'changed');
    return toApiKey(changed);
  }

  /** Ends the runs that were started with the key, and withdraws their questions. */
  async revoke(principal: Principal, id: string): Promise<Revocation> {
    const audit = auditEntry(principal, this.#now(), { action: 'apiKey.revoked', target: id });
    const revocation = await this.#store.apiKeys.revoke(principal.workspaceId, id, audit);
    if (revocation) return revocation;
    throw noSuchKey(id, 'revoked');
  }
}

/** A person's key acts as a person everywhere except at /mcp, where its requests must not count as that person's answers. */
function requireAgentKey(kind: PrincipalKind): void {
  if (kind === 'agent') return;
  throw new ExecutorError(
    'invalidRequest',
    'allowDialog: only the key of an agent can have it, because the client of an agent shows the dialog. Create a key of kind agent for that client.',
  );
}

function noSuchKey(id: string, deed: string): ExecutorError {
  return new ExecutorError(
    'notFound',
    `There is no API key "${id}" that could be ${deed}. \`executor keys ls\` lists them.`,
  );
}

function toApiKey({ createdAt, lastUsedAt, revokedAt, workspaceId: _, ...key }: ApiKeyRow): ApiKey {
  return {
    ...key,
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    ...(revokedAt && { revokedAt: revokedAt.toISOString() }),
  };
}
