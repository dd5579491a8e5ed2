import type { PolicyRow, PolicyStore } from '@executor/engine';
import { and, desc, eq, getTableColumns, lt } from 'drizzle-orm';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database.ts';
import { columnNames, fromRecord } from '../records.ts';
import { policies } from '../schema.ts';
import type { Statement } from '../statement.ts';
import { appendAudit } from './audit.ts';
import { toPage } from './page.ts';

export function policyStore(database: Database, changes: Changes): PolicyStore {
  return {
    async all(workspaceId) {
      const rows = await database.query(allStatement, [workspaceId]);
      return rows.map((row) => toPolicy(fromRecord<typeof policies.$inferSelect>(columns, row)));
    },

    async list(workspaceId, page) {
      const before = page.cursor === undefined ? undefined : lt(policies.id, page.cursor);
      const rows = await database.run((sql) =>
        sql
          .select()
          .from(policies)
          .where(and(eq(policies.workspaceId, workspaceId), before))
          .orderBy(desc(policies.id))
          .limit(page.limit + 1),
      );
      return toPage(rows.map(toPolicy), page);
    },

    async create(policy, audit) {
      await database.transaction(async (sql) => {
        await sql.insert(policies).values(policy);
        await appendAudit(sql, audit);
      });
      changes.policies(policy.workspaceId);
    },

    async update(workspaceId, id, change, audit) {
      const row = await database.transaction(async (sql) => {
        const [updated] = await sql
          .update(policies)
          .set({ ...change, updatedAt: audit.at })
          .where(and(eq(policies.workspaceId, workspaceId), eq(policies.id, id)))
          .returning();
        if (updated) await appendAudit(sql, audit);
        return updated;
      });
      if (row) changes.policies(workspaceId);
      return row && toPolicy(row);
    },

    async remove(workspaceId, id, audit) {
      const removed = await database.transaction(async (sql) => {
        const rows = await sql
          .delete(policies)
          .where(and(eq(policies.workspaceId, workspaceId), eq(policies.id, id)))
          .returning({ id: policies.id });
        if (rows.length > 0) await appendAudit(sql, audit);
        return rows.length > 0;
      });
      if (removed) changes.policies(workspaceId);
      return removed;
    },
  };
}

const columns = getTableColumns(policies);

/** Runs before every call that changes something. */
const allStatement: Statement = {
  name: 'policies-all',
  text: `select ${columnNames(columns)} from policies where workspace_id = $1 order by created_at, id`,
};

function toPolicy({ note, ...policy }: typeof policies.$inferSelect): PolicyRow {
  return { ...policy, ...(note !== null && { note }) };
}
