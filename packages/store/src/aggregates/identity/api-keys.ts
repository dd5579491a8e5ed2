import type { Store } from '@executor/engine';
import { and, desc, eq, getTableColumns, isNull, lt } from 'drizzle-orm';
import type { Changes } from '../../changes/changes.ts';
import type { Database } from '../../database.ts';
import { columnNames, fromRecord } from '../../records.ts';
import { apiKeys } from '../../schema.ts';
import { appendAudit } from '../audit.ts';
import { endRunsOfKey } from '../executions/execution-cancel.ts';
import { toPage } from '../page.ts';
import { endSessionsOfKey } from './sessions.ts';

/** All columns except the hash, which never leaves the database. */
const { hash: _, ...shown } = getTableColumns(apiKeys);

/** Both statements run for nearly every request of an agent. */
const findLiveStatement = {
  name: 'api-key-find-live',
  text: `select ${columnNames(shown)} from api_keys where hash = $1 and revoked_at is null`,
};
const touchStatement = {
  name: 'api-key-touch',
  text: 'update api_keys set last_used_at = $2 where id = $1',
};

export function apiKeyStore({
  database,
  changes,
}: {
  database: Database;
  changes: Changes;
}): Store['apiKeys'] {
  return {
    create: (key, audit) =>
      database.transaction(async (sql) => {
        await sql.insert(apiKeys).values(key);
        await appendAudit(sql, audit);
      }),

    async list(workspaceId, page) {
      const before = page.cursor === undefined ? undefined : lt(apiKeys.id, page.cursor);
      const rows = await database.run((sql) =>
        sql
          .select(shown)
          .from(apiKeys)
          .where(and(eq(apiKeys.workspaceId, workspaceId), before))
          .orderBy(desc(apiKeys.id))
          .limit(page.limit + 1),
      );
      return toPage(rows, page);
    },

    async findLive(hash) {
      const [row] = await database.query(findLiveStatement, [hash]);
      return row && fromRecord(shown, row);
    },

    async findLiveById(workspaceId, id) {
      const [row] = await database.run((sql) => sql.select(shown).from(apiKeys).where(live(workspaceId, id)));
      return row;
    },

    setAllowDialog: (workspaceId, id, allowDialog, audit) =>
      database.transaction(async (sql) => {
        const [row] = await sql
          .update(apiKeys)
          .set({ allowDialog })
          .where(live(workspaceId, id))
          .returning(shown);
        if (row) await appendAudit(sql, audit);
        return row;
      }),

    async touch(id, at) {
      await database.query(touchStatement, [id, at]);
    },

    async revoke(workspaceId, id, audit) {
      const ended = await database.transaction(async (sql) => {
        const revoked = await sql
          .update(apiKeys)
          .set({ revokedAt: audit.at })
          .where(live(workspaceId, id))
          .returning({ id: apiKeys.id });
        if (revoked.length === 0) return undefined;
        await endSessionsOfKey(sql, id, audit.at);
        const { actorId, at } = audit;
        const { ids, questions } = await endRunsOfKey(sql, { workspaceId, id, actorId, at });
        const ended = { cancelledRuns: ids.length, withdrawnQuestions: questions };
        await appendAudit(
          sql,
          ids.length > 0 ? { ...audit, details: { ...audit.details, ...ended } } : audit,
        );
        return { ids, questions };
      });
      if (ended === undefined) return undefined;
      changes.sessions(workspaceId);
      for (const run of ended.ids)
        changes.execution(workspaceId, run, { status: 'cancelled', forHolder: true });
      return { runs: ended.ids.length, questions: ended.questions };
    },
  };
}

function live(workspaceId: string, id: string) {
  return and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.id, id), isNull(apiKeys.revokedAt));
}
