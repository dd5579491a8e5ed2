import type { PresenceRow, Store } from '@executor/engine';
import { and, eq, getTableColumns, sql as raw } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { columnNames, fromRecord } from '../../records.ts';
import { presence } from '../../schema.ts';
import type { Statement } from '../../statement.ts';
import { appendAudit } from '../audit.ts';

export function presenceStore(database: Database): Store['presence'] {
  return {
    async find(workspaceId, actorId) {
      const [row] = await database.query(findStatement, [workspaceId, actorId]);
      return row && fromRecord<PresenceRow>(columns, row);
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

const columns = getTableColumns(presence);

/** Runs before every answer to a question. */
const findStatement: Statement = {
  name: 'presence-find',
  text: `select ${columnNames(columns)} from presence where workspace_id = $1 and actor_id = $2`,
};

const key = [presence.workspaceId, presence.actorId];

function of(workspaceId: string, actorId: string) {
  return and(eq(presence.workspaceId, workspaceId), eq(presence.actorId, actorId));
}
