import type { Liveness, SessionRow, Store } from '@executor/engine';
import { and, desc, eq, gt, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { Changes } from '../../changes/changes.ts';
import type { Database, Sql } from '../../database.ts';
import { sessions } from '../../schema.ts';
import { appendAudit } from '../audit.ts';
import { toPage } from '../page.ts';

export function sessionStore({
  database,
  changes,
}: {
  database: Database;
  changes: Changes;
}): Store['sessions'] {
  return {
    createLink: ({ expiresAt, ...link }, audit) =>
      database.transaction(async (sql) => {
        await removeExpired(sql, link.createdAt);
        const { processId } = changes;
        await sql.insert(sessions).values({ ...link, codeExpiresAt: expiresAt, processId });
        await appendAudit(sql, audit);
      }),

    redeem: ({ codeHash, cookieHash, publicKey, userAgent, now, sessionExpiresAt }, audit) =>
      database.transaction(async (sql) => {
        const valid = and(
          eq(sessions.codeHash, codeHash),
          isNull(sessions.openedAt),
          isNull(sessions.endedAt),
          gt(sessions.codeExpiresAt, now),
        );
        const [link] = await sql.select({ processId: sessions.processId }).from(sessions).where(valid);
        if (link === undefined || !(await changes.isRunning(sql, link.processId))) return undefined;
        const used = { openedAt: now, lastUsedAt: now, expiresAt: sessionExpiresAt };
        const [opened] = await sql
          .update(sessions)
          .set({ cookieHash, publicKey, userAgent: userAgent ?? null, ...used })
          .where(valid)
          .returning();
        const session = opened && toSession(opened);
        if (session) await appendAudit(sql, audit(session));
        return session;
      }),

    async findLive(cookieHash, liveness) {
      const [row] = await database.run((sql) =>
        sql
          .select()
          .from(sessions)
          .where(and(eq(sessions.cookieHash, cookieHash), live(liveness))),
      );
      return row && toSession(row);
    },

    async isLive(id, liveness) {
      const rows = await database.run((sql) =>
        sql
          .select({ id: sessions.id })
          .from(sessions)
          .where(and(eq(sessions.id, id), live(liveness))),
      );
      return rows.length > 0;
    },

    async list(owner, liveness, page) {
      const before = page.cursor === undefined ? undefined : lt(sessions.id, page.cursor);
      const rows = await database.run((sql) =>
        sql
          .select()
          .from(sessions)
          .where(and(ownedBy(owner), live(liveness), before))
          .orderBy(desc(sessions.id))
          .limit(page.limit + 1),
      );
      return toPage(rows.map(toSession), page);
    },

    async touch(id, at) {
      await database.run((sql) => sql.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, id)));
    },

    async end(owner, id, audit) {
      const isEnded = await database.transaction(async (sql) => {
        const ended = await sql
          .update(sessions)
          .set({ endedAt: audit.at })
          .where(
            and(ownedBy(owner), eq(sessions.id, id), isNotNull(sessions.openedAt), isNull(sessions.endedAt)),
          )
          .returning({ id: sessions.id });
        if (ended.length > 0) await appendAudit(sql, audit);
        return ended.length > 0;
      });
      if (isEnded) changes.sessions(owner.workspaceId);
      return isEnded;
    },

    async endAll(owner, at, audit) {
      const count = await database.transaction(async (sql) => {
        const ended = await sql
          .update(sessions)
          .set({ endedAt: at })
          .where(and(ownedBy(owner), isNull(sessions.endedAt)))
          .returning({ id: sessions.id, expiresAt: sessions.expiresAt });
        const opened = ended.filter(({ expiresAt }) => expiresAt !== null && expiresAt > at);
        for (const { id } of opened) await appendAudit(sql, audit(id));
        return opened.length;
      });
      changes.sessions(owner.workspaceId);
      return count;
    },
  };
}

function removeExpired(sql: Sql, now: Date): Promise<unknown> {
  const isOldLink = and(isNull(sessions.openedAt), lt(sessions.codeExpiresAt, now));
  return sql.delete(sessions).where(or(isOldLink, lt(sessions.expiresAt, now)));
}

function live({ now, usedAfter }: Liveness) {
  return and(isNull(sessions.endedAt), gt(sessions.expiresAt, now), gt(sessions.lastUsedAt, usedAfter));
}

function ownedBy({ workspaceId, actorId }: Pick<SessionRow, 'workspaceId' | 'actorId'>) {
  return and(eq(sessions.workspaceId, workspaceId), eq(sessions.actorId, actorId));
}

/** The row of a session that was opened. */
function toSession(row: typeof sessions.$inferSelect): SessionRow {
  const { id, workspaceId, actorId, publicKey, userAgent, openedAt, lastUsedAt, expiresAt } = row;
  if (!publicKey || !openedAt || !lastUsedAt || !expiresAt) throw new Error(`session ${id} is not open`);
  return { id, workspaceId, actorId, publicKey, userAgent, openedAt, lastUsedAt, expiresAt };
}

/** Revokes the sessions and unused sign-in links of a key. */
export async function endSessionsOfKey(sql: Sql, apiKeyId: string, at: Date): Promise<void> {
  await sql
    .update(sessions)
    .set({ endedAt: at })
    .where(and(eq(sessions.apiKeyId, apiKeyId), isNull(sessions.endedAt)));
}
