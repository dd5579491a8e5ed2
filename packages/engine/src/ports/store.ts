import type {
  ExecutionLimits,
  ExecutionStatus,
  PageQuery,
  PrincipalKind,
  SessionKey,
} from '@executor/protocol';
import type { ArtifactStore } from './artifact-store.ts';
import type { AuditStore, NewAuditEntry } from './audit-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { ExecutionStore } from './execution-store.ts';
import type { InteractionStore } from './interaction-store.ts';
import type { Page } from './page.ts';
import type { PolicyStore } from './policy-store.ts';
import type { SourceStore } from './source-store.ts';
import type { Turns } from './turns.ts';
import type { UsageStore } from './usage-store.ts';
import type { VectorStore } from './vector-store.ts';
import type { WorkerStore } from './worker-store.ts';

/**
 * What the engine needs from a database, one object per aggregate.
 *
 * - Every method is atomic. When its promise has resolved, its effect survives a power cut.
 * - A method that changes something takes the audit entry of the change and writes both in one transaction.
 * - A transaction waits for nothing but the database. The embedded database has a single connection, so a waiting transaction would block
 *   all others.
 * - While the database is unavailable, every method throws `databaseUnavailable`. Methods work again when it is back, without a restart.
 */
export interface Store {
  readonly kind: 'pglite' | 'postgres';
  readonly installations: InstallationStore;
  readonly workspaces: WorkspaceStore;
  readonly apiKeys: ApiKeyStore;
  readonly sessions: SessionStore;
  readonly executions: ExecutionStore;
  readonly interactions: InteractionStore;
  readonly deliveries: DeliveryStore;
  readonly policies: PolicyStore;
  readonly artifacts: ArtifactStore;
  readonly sources: SourceStore;
  readonly workers: WorkerStore;
  readonly presence: PresenceStore;
  readonly audit: AuditStore;
  readonly usage: UsageStore;
  readonly vectors: VectorStore;
  /** Notifies of changes by any process after their commit. Notices may be lost, so listeners also have to poll. */
  subscribe(listener: (change: StoreChange) => void): () => void;
  /** Notifies the subscribers of all processes, this one included, of something that is not stored. */
  tell(notice: CallNotice): void;
  /**
   * Delivers due wake-ups to this process until stopped. A wake-up says that a run may have become runnable. It may be duplicated, late or
   * obsolete.
   */
  receiveWakeUps(wake: (executionIds: string[]) => Promise<void>): Promise<{ stop(): Promise<void> }>;
  /** From now on, each access to the database takes its turn (`chargedAccount`). */
  shareTurns(turns: Turns): void;
  /** The file system of an embedded database. Undefined if the database is a server of its own. */
  disk(): Promise<DiskSpace | undefined>;
  /** Whether the last access to the database succeeded. */
  isAvailable(): boolean;
  close(): Promise<void>;
}

export interface DiskSpace {
  freeBytes: number;
  totalBytes: number;
}

export interface Installation {
  id: string;
  createdAt: Date;
  /** The actor and workspace that the local token authenticates. */
  owner: { actorId: string; workspaceId: string };
}

interface InstallationStore {
  find(): Promise<Installation | undefined>;
  /** Creates the rows of a first start, unless another process was first. Returns the installation in both cases. */
  provision(account: NewAccount, audit: NewAuditEntry): Promise<Installation>;
  /** The secret with which all servers of this installation sign state that clients hold. Stores `candidate` if there is none yet. */
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
      /** The new status, if it changed. */
      status?: ExecutionStatus;
      /** Whether another process than the holder wrote it, so that the holder has to read its journal. */
      forHolder: boolean;
    }
  | { type: 'policies'; workspaceId: string }
  | { type: 'sources'; workspaceId: string }
  /** Sessions were ended. */
  | { type: 'sessions'; workspaceId: string }
  | CallNotice;

/** A client has sent or cancelled a call. The server that holds the call may be another one than the one that received this. */
export interface CallNotice extends CallKey {
  type: 'callSent' | 'callCancelled';
  /** Distinguishes two notices of the same call. */
  id: string;
}

export interface CallKey {
  /** Whether the id of the call is unique in its session. Otherwise other clients of the same owner may use it too. */
  scope: 'session' | 'owner';
  hash: string;
}

interface WorkspaceStore {
  describe(workspaceId: string, actorId: string): Promise<WorkspaceNames | undefined>;
  ids(): Promise<string[]>;
  /** The settings that differ from the defaults. */
  settings(workspaceId: string): Promise<StoredSettings>;
  /** Omitted names and settings are kept. */
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
  /** The number of wrong attempts since the last correct one. */
  failures: number;
  lockedUntil: Date | null;
}

interface PresenceStore {
  find(workspaceId: string, actorId: string): Promise<PresenceRow | undefined>;
  set(row: PresenceRow, audit: NewAuditEntry): Promise<void>;
  /**
   * Counts an attempt before it is checked, so that concurrent attempts cannot exceed the limit. Returns the number of attempts since the
   * last correct one, including this one.
   */
  countAttempt(workspaceId: string, actorId: string): Promise<number>;
  lock(workspaceId: string, actorId: string, until: Date, audit: NewAuditEntry): Promise<void>;
  /** Resets the count after a correct attempt. */
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
  /** Whether the client may show approvals in its own dialog. Only for keys of agents. */
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
  /** Returns the changed key, or undefined if there is no live key with this id. */
  setAllowDialog(
    workspaceId: string,
    id: string,
    allowDialog: boolean,
    audit: NewAuditEntry,
  ): Promise<ApiKeyRow | undefined>;
  touch(id: string, at: Date): Promise<void>;
  /**
   * Revokes the key and the browser sessions that were opened with it. Ends the unfinished runs of the key and of these sessions and
   * withdraws their questions, in the same transaction: a holder can commit nothing afterwards, so it sends no call that must not be
   * repeated. Returns undefined if there is no live key with this id.
   */
  revoke(workspaceId: string, id: string, audit: NewAuditEntry): Promise<Revocation | undefined>;
}

/** What ended with a key. */
export interface Revocation {
  runs: number;
  questions: number;
}

export interface SessionRow {
  id: string;
  workspaceId: string;
  actorId: string;
  publicKey: SessionKey;
  userAgent: string | null;
  openedAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** A session is live if it has not expired, was not ended, and was used recently. */
export interface Liveness {
  now: Date;
  usedAfter: Date;
}

type Owner = Pick<SessionRow, 'workspaceId' | 'actorId'>;

interface SessionStore {
  /** The link is valid only while this process has the database open. */
  createLink(link: NewSignInLink, audit: NewAuditEntry): Promise<void>;
  /** Turns an unused, valid link into a session. Of two concurrent attempts with one link, one succeeds. */
  redeem(
    redemption: Redemption,
    audit: (session: SessionRow) => NewAuditEntry,
  ): Promise<SessionRow | undefined>;
  findLive(cookieHash: string, liveness: Liveness): Promise<SessionRow | undefined>;
  isLive(id: string, liveness: Liveness): Promise<boolean>;
  list(owner: Owner, liveness: Liveness, page: PageQuery): Promise<Page<SessionRow>>;
  touch(id: string, at: Date): Promise<void>;
  /** Returns false if the owner has no such session, or if it was ended before. */
  end(owner: Owner, id: string, audit: NewAuditEntry): Promise<boolean>;
  /** Ends all sessions and unused links of the owner, and returns how many sessions that were. */
  endAll(owner: Owner, at: Date, audit: (id: string) => NewAuditEntry): Promise<number>;
}

export interface NewSignInLink {
  id: string;
  workspaceId: string;
  actorId: string;
  /** The key that requested the link, if a key did. */
  apiKeyId?: string;
  codeHash: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface Redemption {
  codeHash: string;
  cookieHash: string;
  publicKey: SessionKey;
  userAgent: string | undefined;
  now: Date;
  sessionExpiresAt: Date;
}
