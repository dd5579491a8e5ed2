import type { NewAuditEntry, Store } from '@executor/engine';
import { and, desc, eq, lt } from 'drizzle-orm';
import type { Database, Sql } from '../database.ts';
import { audit } from '../schema.ts';
import { toPage } from './page.ts';

export function auditStore(database: Database): Store['audit'] {
  return {
    note: (entry) =>
      database.transaction(async (sql) => {
        if (!(await isNoted(sql, entry))) await appendAudit(sql, entry);
      }),

    async list(workspaceId, page) {
      const before = page.cursor === undefined ? undefined : lt(audit.id, page.cursor);
      const rows = await database.run((sql) =>
        sql
          .select()
          .from(audit)
          .where(and(eq(audit.workspaceId, workspaceId), before))
          .orderBy(desc(audit.id))
          .limit(page.limit + 1),
      );
      const { items, ...rest } = toPage(rows, page);
      return { items: items.map(withoutNulls), ...rest };
    },
  };
}

/** Two concurrent entries may both be written: a duplicate is better than a lock. */
async function isNoted(sql: Sql, { workspaceId, action, target = '' }: NewAuditEntry): Promise<boolean> {
  const same = and(eq(audit.workspaceId, workspaceId), eq(audit.action, action), eq(audit.target, target));
  const found = await sql.select({ id: audit.id }).from(audit).where(same).limit(1);
  return found.length > 0;
}

/** Part of every transaction that changes something. */
export async function appendAudit(sql: Sql, entry: NewAuditEntry): Promise<void> {
  await sql.insert(audit).values(entry);
}

function withoutNulls({ target, details, credentialId, ...entry }: typeof audit.$inferSelect): NewAuditEntry {
  return {
    ...entry,
    ...(credentialId && { credentialId }),
    ...(target && { target }),
    ...(details && { details }),
  };
}
