import {
  ExecutorError,
  type PageQuery,
  type Principal,
  type SessionKey,
  type SessionSummary,
} from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import { newId } from '../id.ts';
import type { Liveness, SessionRow, Store } from '../ports/store.ts';
import { type Account, accountOf } from '../resource/account.ts';
import type { RequestProofs, SignedRequest } from './request-proofs.ts';
import { hashSecret, newSecret } from './secret.ts';

const linkLifetimeMs = 5 * 60_000;
const sessionLifetimeMs = 7 * 24 * 3_600_000;
const maxIdleMs = 12 * 3_600_000;
const touchEveryMs = 60_000;
const maxUserAgentChars = 300;
const maxKnownLinks = 1_000;

interface Dependencies {
  store: Pick<Store, 'sessions'>;
  proofs: RequestProofs;
  now: () => Date;
}

export interface OpenedSession {
  id: string;
  account: Account;
  /** The cookie, which the page cannot read. */
  cookie: string;
  expiresAt: Date;
}

interface SignInRequest {
  code: string;
  publicKey: SessionKey;
  signed: SignedRequest;
  userAgent: string | undefined;
}

/**
 * Browser sessions. A person creates a link, which opens one session within five minutes and is then invalid.
 *
 * A session consists of a cookie, by which it is found, and a key in the browser that signs each request. A program that receives a request
 * or a link gains nothing: the key cannot be read, and the link is valid only for the process that made it. So a program that takes the
 * port after that process ended cannot use it later.
 */
export class Sessions {
  readonly #store: Dependencies['store'];
  readonly #proofs: RequestProofs;
  readonly #now: () => Date;
  /** Who created the links of this process that may still open a session, by the hash of their code. */
  readonly #linkOwners = new Map<string, Account>();

  constructor({ store, proofs, now }: Dependencies) {
    this.#store = store;
    this.#proofs = proofs;
    this.#now = now;
  }

  async createLink(principal: Principal): Promise<{ code: string; expiresAt: Date }> {
    const { workspaceId, actorId, apiKeyId } = principal;
    const createdAt = this.#now();
    const expiresAt = new Date(createdAt.getTime() + linkLifetimeMs);
    const code = newSecret('exc');
    const codeHash = hashSecret(code);
    const id = newId('ses', createdAt);
    await this.#store.sessions.createLink(
      {
        id,
        workspaceId,
        actorId,
        ...(apiKeyId && { apiKeyId }),
        codeHash,
        createdAt,
        expiresAt,
      },
      auditEntry(principal, createdAt, { action: 'session.linkCreated', target: id }),
    );
    this.#linkOwners.set(codeHash, accountOf(principal));
    if (this.#linkOwners.size > maxKnownLinks)
      this.#linkOwners.delete(this.#linkOwners.keys().next().value as string);
    return { code, expiresAt };
  }

  /** Who is charged for a sign-in with this code, if this process created its link. This is not a proof that the link is still valid. */
  accountOfLink(code: string): Account | undefined {
    return this.#linkOwners.get(hashSecret(code));
  }

  async open({ code, publicKey, signed, userAgent }: SignInRequest): Promise<OpenedSession> {
    if (!this.#proofs.isSigned(publicKey, signed)) throw wrongSignature();
    const now = this.#now();
    const codeHash = hashSecret(code);
    const cookie = newSecret('exs');
    const session = await this.#store.sessions.redeem(
      {
        codeHash,
        cookieHash: hashSecret(cookie),
        publicKey,
        userAgent: userAgent?.slice(0, maxUserAgentChars),
        now,
        sessionExpiresAt: new Date(now.getTime() + sessionLifetimeMs),
      },
      (opened) => ({ ...sessionEntry(opened, now), action: 'session.opened' }),
    );
    this.#linkOwners.delete(codeHash);
    if (session === undefined) throw invalidLink();
    const { id, workspaceId, expiresAt } = session;
    return { id, account: { kind: 'person', key: id, workspaceId }, cookie, expiresAt };
  }

  /** The session of a cookie, if its key signed the request. */
  async authenticate(cookies: string[], signed: SignedRequest): Promise<SessionRow | undefined> {
    for (const cookie of cookies) {
      const session = await this.#store.sessions.findLive(hashSecret(cookie), this.#liveness());
      if (session === undefined || !this.#proofs.accept(session.publicKey, signed)) continue;
      await this.#touch(session);
      return session;
    }
    return undefined;
  }

  /** Whether the session with which a request was made has not ended since. */
  isLive(sessionId: string): Promise<boolean> {
    return this.#store.sessions.isLive(sessionId, this.#liveness());
  }

  async list(
    principal: Principal,
    page: PageQuery,
  ): Promise<{ items: SessionSummary[]; nextCursor?: string }> {
    const { items, ...rest } = await this.#store.sessions.list(principal, this.#liveness(), page);
    return { items: items.map((row) => summary(row, principal)), ...rest };
  }

  /** Ends the session with which the request was made. */
  async endCurrent(principal: Principal): Promise<void> {
    const { sessionId } = principal;
    if (sessionId === undefined) {
      throw new ExecutorError(
        'invalidRequest',
        'This request was not made with a browser session, so there is none to end.',
      );
    }
    await this.#end(principal, sessionId);
  }

  async end(principal: Principal, id: string): Promise<void> {
    if (await this.#end(principal, id)) return;
    throw new ExecutorError(
      'notFound',
      `There is no session "${id}" that could be ended. \`executor sessions ls\` lists them.`,
    );
  }

  /** Ends all sessions and unused links of the actor, and returns how many sessions that were. */
  endAll(principal: Principal): Promise<number> {
    const now = this.#now();
    return this.#store.sessions.endAll(principal, now, (target) =>
      auditEntry(principal, now, { action: 'session.ended', target }),
    );
  }

  #end(principal: Principal, id: string): Promise<boolean> {
    const audit = auditEntry(principal, this.#now(), { action: 'session.ended', target: id });
    return this.#store.sessions.end(principal, id, audit);
  }

  #liveness(): Liveness {
    const now = this.#now();
    return { now, usedAfter: new Date(now.getTime() - maxIdleMs) };
  }

  async #touch({ id, lastUsedAt }: SessionRow): Promise<void> {
    const at = this.#now();
    if (at.getTime() - lastUsedAt.getTime() <= touchEveryMs) return;
    // A session works even if its time of use cannot be stored, for example on a full disk.
    await this.#store.sessions.touch(id, at).catch(() => {});
  }
}

function sessionEntry({ id, workspaceId, actorId }: SessionRow, at: Date) {
  return {
    id: newId('aud', at),
    workspaceId,
    actorId,
    at,
    credential: 'session',
    credentialId: id,
    target: id,
  };
}

function summary(row: SessionRow, { sessionId }: Principal): SessionSummary {
  const { id, actorId, userAgent, openedAt, lastUsedAt, expiresAt } = row;
  const idleUntil = lastUsedAt.getTime() + maxIdleMs;
  return {
    id,
    actorId,
    ...(userAgent !== null && { userAgent }),
    openedAt: openedAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: new Date(Math.min(expiresAt.getTime(), idleUntil)).toISOString(),
    current: id === sessionId,
  };
}

function invalidLink(): ExecutorError {
  return new ExecutorError(
    'gone',
    'This sign-in link was used before, has expired, or is older than the last restart of the server. Run `executor web` for a new one.',
  );
}

function wrongSignature(): ExecutorError {
  return new ExecutorError(
    'unauthenticated',
    'The request is not signed with the key that it contains. Reload the page and run `executor web` again.',
  );
}
