import type { Store } from '@executor/engine';
import { and, eq, sql as raw } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { presence } from '../schema.ts';
import { appendAudit } from './audit.ts';

export function presenceStore(database: Database): Store['presence'] {
  return {
    async find(workspaceId, actorId) {
      const [row] = await database.run((sql) => sql.select().from(presence).where(of(workspaceId, actorId)));
      return row;
    },

    set: (row, audit) =>
      database.transaction(async (sql) => {
        await sql.insert(presence).values(row).onConflictDoUpdate({ target: key, set: row });
        await appendAudit(sql, audit);
      }),

    async countAttempt(workspaceId, actorId) {
      const [row] = await database.run((sql) =>
        sql
          .insert(presence)
          .values({ workspaceId, actorId, mode: 'off', failures: 1 })
          .onConflictDoUpdate({ target: key, set: { failures: raw`${presence.failures} + 1` } })
          .returning({ failures: presence.failures }),
      );
      return row?.failures ?? 1;
    },

    lock: (workspaceId, actorId, until, audit) =>
      database.transaction(async (sql) => {
        await sql.update(presence).set({ lockedUntil: until }).where(of(workspaceId, actorId));
        await appendAudit(sql, audit);
      }),

    async clear(workspaceId, actorId) {
      await database.run((sql) =>
        sql.update(presence).set({ failures: 0, lockedUntil: null }).where(of(workspaceId, actorId)),
      );
    },
  };
}

const key = [presence.workspaceId, presence.actorId];

function of(workspaceId: string, actorId: string) {
  return and(eq(presence.workspaceId, workspaceId), eq(presence.actorId, actorId));
}
