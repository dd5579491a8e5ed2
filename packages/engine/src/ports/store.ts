import type { ExecutionLimits, ExecutionStatus, PageQuery, PrincipalKind } from '@executor/protocol';
import type { ArtifactStore } from './artifact-store.ts';
import type { AuditStore, NewAuditEntry } from './audit-store.ts';
import type { ExecutionStore } from './execution-store.ts';
import type { InteractionStore } from './interaction-store.ts';
import type { Page } from './page.ts';
import type { PolicyStore } from './policy-store.ts';
import type { SourceStore } from './source-store.ts';
import type { WorkerStore } from './worker-store.ts';

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
  readonly executions: ExecutionStore;
  readonly interactions: InteractionStore;
  readonly policies: PolicyStore;
  readonly artifacts: ArtifactStore;
  readonly sources: SourceStore;
  readonly workers: WorkerStore;
  readonly presence: PresenceStore;
  readonly audit: AuditStore;
  /** Told of each change after its commit, whichever process made it. Some may be missed: look for yourself now and then. */
  subscribe(listener: (change: StoreChange) => void): () => void;
  /**
   * Hands wake-ups to this process, as they come due, until stopped. A wake-up says that a run may have become runnable; it may come
   * twice, late, or in vain.
   */
  receiveWakeUps(wake: (executionIds: string[]) => Promise<void>): Promise<{ stop(): Promise<void> }>;
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
  /** The secret with which every server of this installation signs what clients carry: the one that is kept, or else this one, from now on. */
  stateKey(candidate: string): Promise<string>;
}

export interface NewAccount {
  installationId: string;
  organization: { id: string; name: string };
  workspace: { id: string; name: string };
  actor: { id: string; name: string };
  at: Date;
}

export type StoreChange =
  | {
      type: 'execution';
      workspaceId: string;
      executionId: string;
      /** Where the change was one of status. */
      status?: ExecutionStatus;
      /** Whether it was written by somebody who does not hold the run, so that its holder has something to read. */
      forHolder: boolean;
    }
  | { type: 'policies'; workspaceId: string }
  | { type: 'sources'; workspaceId: string };

interface WorkspaceStore {
  describe(workspaceId: string, actorId: string): Promise<WorkspaceNames | undefined>;
  ids(): Promise<string[]>;
  /** What was changed from the defaults. */
  settings(workspaceId: string): Promise<StoredSettings>;
  /** Names and settings that are left out stay as they are. */
  change(
    workspaceId: string,
    change: { name?: string | undefined } & StoredSettings,
    audit: NewAuditEntry,
  ): Promise<void>;
}

export interface StoredSettings {
  limits?: Partial<ExecutionLimits> | undefined;
  retentionDays?: number | undefined;
  answerWithinHours?: number | null | undefined;
}

export interface PresenceRow {
  workspaceId: string;
  actorId: string;
  mode: 'off' | 'pin';
  pinHash: string | null;
  /** Wrong answers since the last right one. */
  failures: number;
  lockedUntil: Date | null;
}

interface PresenceStore {
  find(workspaceId: string, actorId: string): Promise<PresenceRow | undefined>;
  set(row: PresenceRow, audit: NewAuditEntry): Promise<void>;
  /**
   * Counts an attempt before it is judged, so that many at once cannot slip through; answers how many there were since the last
   * right one, this one included.
   */
  countAttempt(workspaceId: string, actorId: string): Promise<number>;
  lock(workspaceId: string, actorId: string, until: Date, audit: NewAuditEntry): Promise<void>;
  /** A right answer: forgets the wrong ones. */
  clear(workspaceId: string, actorId: string): Promise<void>;
}

/** The names to show for a workspace and an actor. */
export interface WorkspaceNames {
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
  /** Whether the client that holds the key may let its user answer approvals in a dialog of its own. Only ever of an agent's key. */
  allowDialog: boolean;
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
  findLiveById(workspaceId: string, id: string): Promise<ApiKeyRow | undefined>;
  /** Answers the live key as it is then, or undefined where there is none. */
  setAllowDialog(
    workspaceId: string,
    id: string,
    allowDialog: boolean,
    audit: NewAuditEntry,
  ): Promise<ApiKeyRow | undefined>;
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
