import type { SessionRow, Store } from '@executor/engine';
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import type { Database, Sql } from '../../database.ts';
import { sessions } from '../../schema.ts';
import { appendAudit } from '../audit.ts';

export function sessionStore(database: Database): Store['sessions'] {
  return {
    createLink: ({ expiresAt, ...link }, audit) =>
      database.transaction(async (sql) => {
        await sql
          .delete(sessions)
          .where(
            or(
              and(isNull(sessions.openedAt), lt(sessions.codeExpiresAt, link.createdAt)),
              lt(sessions.expiresAt, link.createdAt),
            ),
          );
        await sql.insert(sessions).values({ ...link, codeExpiresAt: expiresAt });
        await appendAudit(sql, audit);
      }),

    redeem: ({ codeHash, cookieHash, tokenHash, now, sessionExpiresAt }, audit) =>
      database.transaction(async (sql) => {
        const [opened] = await sql
          .update(sessions)
          .set({ cookieHash, tokenHash, openedAt: now, expiresAt: sessionExpiresAt })
          .where(
            and(
              eq(sessions.codeHash, codeHash),
              isNull(sessions.openedAt),
              isNull(sessions.endedAt),
              gt(sessions.codeExpiresAt, now),
            ),
          )
          .returning();
        const session = opened && toSession(opened);
        if (session) await appendAudit(sql, audit(session));
        return session;
      }),

    async findLive(cookieHash, tokenHash, now) {
      const [row] = await database.run((sql) =>
        sql
          .select()
          .from(sessions)
          .where(
            and(
              eq(sessions.cookieHash, cookieHash),
              eq(sessions.tokenHash, tokenHash),
              isNull(sessions.endedAt),
              gt(sessions.expiresAt, now),
            ),
          ),
      );
      return row && toSession(row);
    },

    end: (workspaceId, id, audit) =>
      database.transaction(async (sql) => {
        const ended = await sql
          .update(sessions)
          .set({ endedAt: audit.at })
          .where(and(eq(sessions.workspaceId, workspaceId), eq(sessions.id, id), isNull(sessions.endedAt)))
          .returning({ id: sessions.id });
        if (ended.length > 0) await appendAudit(sql, audit);
        return ended.length > 0;
      }),
  };
}

function toSession({
  id,
  workspaceId,
  actorId,
  expiresAt,
}: typeof sessions.$inferSelect): SessionRow | undefined {
  return expiresAt === null ? undefined : { id, workspaceId, actorId, expiresAt };
}

/** Revokes the sessions and unused sign-in links of a key. */
export async function endSessionsOfKey(sql: Sql, apiKeyId: string, at: Date): Promise<void> {
  await sql
    .update(sessions)
    .set({ endedAt: at })
    .where(and(eq(sessions.apiKeyId, apiKeyId), isNull(sessions.endedAt)));
}
