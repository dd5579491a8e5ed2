import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiKeyRow,
  type NewAccount,
  type NewAuditEntry,
  type NewSignInLink,
  newId,
  type Store,
} from '@executor/engine';
import type { Client } from 'pg';
import { query } from './query.ts';
import type { TestStore } from './test-database.ts';

export const at = new Date('2026-11-15T12:00:00.123Z');

export function later(milliseconds: number): Date {
  return new Date(at.getTime() + milliseconds);
}

/** A store under test, and helpers that prepare its content. */
export class Fixture {
  readonly #opened: () => TestStore;

  /** `opened` is called when the tests run. */
  constructor(opened: () => TestStore) {
    this.#opened = opened;
  }

  get store(): Store {
    return this.#opened().store;
  }

  sql(statement: string) {
    return query(this.#opened().database, statement);
  }

  /** Runs any statement. */
  run<Row extends object>({ text, values }: { text: string; values: unknown[] }): Promise<Row[]> {
    return this.#opened().database.withClient(async (client) => (await client.query<Row>(text, values)).rows);
  }

  /** Begins a transaction on a separate connection. */
  async beginElsewhere(): Promise<Client> {
    const client = this.#opened().database.newClient();
    await client.connect();
    await client.query('begin');
    return client;
  }

  passTime(milliseconds: number): Promise<void> {
    return sleep(milliseconds);
  }

  now(): Date {
    return new Date();
  }

  async count(table: string): Promise<number> {
    const { rows } = await this.sql(`select count(*)::integer as count from ${table}`);
    return rows[0].count;
  }

  /** Creates a workspace with its owner, like that of another tenant. */
  async newWorkspace(label: string) {
    const account = newAccount(label);
    const { organization, workspace, actor } = account;
    await this.sql(`
      insert into organizations (id, name, created_at) values ('${organization.id}', '${organization.name}', now());
      insert into workspaces (id, organization_id, name, created_at) values ('${workspace.id}', '${organization.id}', '${workspace.name}', now());
      insert into actors (id, kind, name, created_at) values ('${actor.id}', 'person', '${actor.name}', now());
      insert into memberships (workspace_id, actor_id, role, created_at) values ('${workspace.id}', '${actor.id}', 'owner', now())`);
    return { organization, workspace, actor };
  }

  async newKey(label: string) {
    const { workspace, actor } = await this.newWorkspace(label);
    const key = keyOf(workspace.id, actor.id, label);
    const created = entry(workspace.id, { action: 'apiKey.created', target: key.id });
    await this.store.apiKeys.create(key, created);
    return { key, created };
  }

  async newLink(label: string) {
    const link = linkOf(await this.newWorkspace(label), label);
    await this.createLink(link);
    return { link };
  }

  createLink(link: NewSignInLink): Promise<void> {
    return this.store.sessions.createLink(
      link,
      entry(link.workspaceId, { action: 'session.linkCreated', target: link.id }),
    );
  }

  /** Creates an entry whose id is taken, so that writing it fails. */
  async takenEntry(workspaceId: string): Promise<NewAuditEntry> {
    const { workspace } = await this.newWorkspace('taken');
    const taken = entry(workspace.id);
    await this.store.workspaces.change(workspace.id, { name: 'Taken' }, taken);
    return { ...taken, workspaceId };
  }

  redeem(codeHash: string, label: string, now = at, sessionExpiresAt = later(9_000)) {
    return this.store.sessions.redeem(
      { ...redemptionOf(codeHash, label, now), sessionExpiresAt },
      (session) => entry(session.workspaceId, { action: 'session.opened', target: session.id }),
    );
  }
}

export function newAccount(label: string): NewAccount {
  return {
    installationId: newId('ins', at),
    organization: { id: newId('org', at), name: `Organization ${label}` },
    workspace: { id: newId('ws', at), name: `Workspace ${label}` },
    actor: { id: newId('act', at), name: `Actor ${label}` },
    at,
  };
}

export function provisioned({ workspace, actor }: NewAccount): NewAuditEntry {
  return entry(workspace.id, { action: 'installation.provisioned', actorId: actor.id });
}

export function entry(workspaceId: string, changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const plain = {
    id: newId('aud', changes.at ?? at),
    workspaceId,
    at,
    action: 'test.done',
    actorId: 'act_1',
    credential: 'localToken',
  };
  return { ...plain, ...changes };
}

type NewKey = Parameters<Store['apiKeys']['create']>[0];

export function keyOf(workspaceId: string, actorId: string, label: string): NewKey {
  const id = newId('key', at);
  return {
    id,
    workspaceId,
    actorId,
    name: `Key ${label}`,
    kind: 'agent',
    hash: `hash of ${id}`,
    hint: 'wxyz',
    allowDialog: false,
    createdAt: at,
  };
}

export function shown({ hash: _, ...key }: NewKey): ApiKeyRow {
  return { ...key, lastUsedAt: null, revokedAt: null };
}

export function linkOf(
  { workspace, actor }: { workspace: { id: string }; actor: { id: string } },
  label: string,
) {
  const id = newId('ses', at);
  const codeHash = `${label}-${id}`;
  return {
    id,
    workspaceId: workspace.id,
    actorId: actor.id,
    codeHash,
    createdAt: at,
    expiresAt: later(5_000),
  };
}

export function redemptionOf(codeHash: string, label: string, now: Date) {
  const cookieHash = `${label}-cookie`;
  return {
    codeHash,
    cookieHash,
    publicKey,
    userAgent: `Browser ${label}`,
    now,
    sessionExpiresAt: later(9_000),
  };
}

/** The store does not use it. */
export const publicKey = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } as const;

/** Reads all pages of a list, two items each. */
export async function pages<Item>(
  list: (page: { limit: number; cursor?: string }) => Promise<{ items: Item[]; nextCursor?: string }>,
): Promise<Item[][]> {
  const found: Item[][] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 2, ...(cursor && { cursor }) });
    found.push(page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
}
