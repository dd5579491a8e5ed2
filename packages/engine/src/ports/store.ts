import type { PageQuery, PrincipalKind } from '@executor/protocol';

/**
 * What the engine needs of a database, one object per aggregate.
 *
 * - Every method is atomic: it happened whole, and will survive a power cut, once its promise has resolved.
 * - A method that changes something takes the audit entry of the change and writes both together, or neither.
 * - Nothing here waits for anything but the database: with the embedded one there is a single connection, so a transaction that
 *   waited for something else would stop everyone.
 * - While the database is away every method throws `databaseUnavailable`; when it is back they work again, without a restart.
 */
export interface Store {
  readonly kind: 'pglite' | 'postgres';
  readonly installations: InstallationStore;
  readonly workspaces: WorkspaceStore;
  readonly apiKeys: ApiKeyStore;
  readonly sessions: SessionStore;
  readonly audit: AuditStore;
  /** What is known without asking: whether the database answered last time. */
  isAvailable(): boolean;
  close(): Promise<void>;
}

export interface Installation {
  id: string;
  createdAt: Date;
  /** Whom the local token stands for. */
  owner: { actorId: string; workspaceId: string };
}

interface InstallationStore {
  find(): Promise<Installation | undefined>;
  /** Creates everything of a first start, or nothing where another process was first; either way answers what is there. */
  provision(account: NewAccount, audit: NewAuditEntry): Promise<Installation>;
}

export interface NewAccount {
  installationId: string;
  organization: { id: string; name: string };
  workspace: { id: string; name: string };
  actor: { id: string; name: string };
  at: Date;
}

interface WorkspaceStore {
  describe(workspaceId: string, actorId: string): Promise<Place | undefined>;
  rename(workspaceId: string, name: string, audit: NewAuditEntry): Promise<void>;
}

export interface Place {
  organization: { id: string; name: string };
  workspace: { id: string; name: string };
  actor: { id: string; name: string };
}

export interface ApiKeyRow {
  id: string;
  workspaceId: string;
  actorId: string;
  name: string;
  kind: PrincipalKind;
  hint: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

interface ApiKeyStore {
  create(
    key: Omit<ApiKeyRow, 'lastUsedAt' | 'revokedAt'> & { hash: string },
    audit: NewAuditEntry,
  ): Promise<void>;
  list(workspaceId: string, page: PageQuery): Promise<Page<ApiKeyRow>>;
  /** Finds a key that is not revoked. */
  findLive(hash: string): Promise<ApiKeyRow | undefined>;
  touch(id: string, at: Date): Promise<void>;
  /** Revokes the key at once, with the browser sessions that were opened through it; false where there was no live key of that id. */
  revoke(workspaceId: string, id: string, audit: NewAuditEntry): Promise<boolean>;
}

export interface SessionRow {
  id: string;
  workspaceId: string;
  actorId: string;
  expiresAt: Date;
}

interface SessionStore {
  createLink(link: NewSignInLink, audit: NewAuditEntry): Promise<void>;
  /** Turns an unused, unexpired link into a session; of two attempts at the same link one succeeds. */
  redeem(
    redemption: Redemption,
    audit: (session: SessionRow) => NewAuditEntry,
  ): Promise<SessionRow | undefined>;
  findLive(cookieHash: string, tokenHash: string, now: Date): Promise<SessionRow | undefined>;
  end(workspaceId: string, id: string, audit: NewAuditEntry): Promise<boolean>;
}

export interface NewSignInLink {
  id: string;
  workspaceId: string;
  actorId: string;
  /** The key with which the link was asked for, if it was one. */
  apiKeyId?: string;
  codeHash: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface Redemption {
  codeHash: string;
  cookieHash: string;
  tokenHash: string;
  now: Date;
  sessionExpiresAt: Date;
}

export interface NewAuditEntry {
  id: string;
  workspaceId: string;
  at: Date;
  action: string;
  actorId: string;
  credential: string;
  /** Which key or session it was. */
  credentialId?: string;
  target?: string;
  details?: Record<string, unknown>;
}

interface AuditStore {
  list(workspaceId: string, page: PageQuery): Promise<Page<NewAuditEntry>>;
}

export interface Page<Row> {
  items: Row[];
  nextCursor?: string;
}
