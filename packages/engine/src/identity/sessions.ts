import { ExecutorError, type Principal } from '@executor/protocol';
import { auditEntry } from '../audit-entry.ts';
import { newId } from '../id.ts';
import type { Store } from '../ports/store.ts';
import { hashSecret, newSecret } from './secret.ts';

const linkLifetimeMs = 5 * 60_000;
const sessionLifetimeMs = 30 * 24 * 3_600_000;

interface Dependencies {
  store: Pick<Store, 'sessions'>;
  now: () => Date;
}

export interface OpenedSession {
  id: string;
  /** The cookie, which the page cannot read. */
  cookie: string;
  /** The token that the page holds, which no cookie contains. */
  token: string;
  expiresAt: Date;
}

/** Browser sessions. A person creates a link, which opens one session within five minutes and is then invalid. */
export class Sessions {
  readonly #store: Dependencies['store'];
  readonly #now: () => Date;

  constructor({ store, now }: Dependencies) {
    this.#store = store;
    this.#now = now;
  }

  async createLink(principal: Principal): Promise<{ code: string; expiresAt: Date }> {
    const { workspaceId, actorId, apiKeyId } = principal;
    const createdAt = this.#now();
    const expiresAt = new Date(createdAt.getTime() + linkLifetimeMs);
    const code = newSecret('exc');
    const id = newId('ses', createdAt);
    await this.#store.sessions.createLink(
      {
        id,
        workspaceId,
        actorId,
        ...(apiKeyId && { apiKeyId }),
        codeHash: hashSecret(code),
        createdAt,
        expiresAt,
      },
      auditEntry(principal, createdAt, { action: 'session.linkCreated', target: id }),
    );
    return { code, expiresAt };
  }

  async open(code: string): Promise<OpenedSession> {
    const now = this.#now();
    const cookie = newSecret('exs');
    const token = newSecret('ext');
    const session = await this.#store.sessions.redeem(
      {
        codeHash: hashSecret(code),
        cookieHash: hashSecret(cookie),
        tokenHash: hashSecret(token),
        now,
        sessionExpiresAt: new Date(now.getTime() + sessionLifetimeMs),
      },
      ({ id, workspaceId, actorId }) => ({
        id: newId('aud', now),
        workspaceId,
        actorId,
        at: now,
        action: 'session.opened',
        credential: 'session',
        credentialId: id,
        target: id,
      }),
    );
    if (session === undefined) {
      throw new ExecutorError(
        'gone',
        'This sign-in link was used before or has expired. Run `executor web` for a new one.',
      );
    }
    return { id: session.id, cookie, token, expiresAt: session.expiresAt };
  }

  async end(principal: Principal): Promise<void> {
    const { sessionId, workspaceId } = principal;
    if (sessionId === undefined) {
      throw new ExecutorError(
        'invalidRequest',
        'This request was not made with a browser session, so there is none to end.',
      );
    }
    const audit = auditEntry(principal, this.#now(), { action: 'session.ended', target: sessionId });
    await this.#store.sessions.end(workspaceId, sessionId, audit);
  }
}
