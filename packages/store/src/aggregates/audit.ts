import type { NewAuditEntry, Store } from '@executor/engine';
import { and, desc, eq, lt } from 'drizzle-orm';
import type { Database, Sql } from '../database.ts';
import { audit } from '../schema.ts';
import { toPage } from './page.ts';

export function auditStore(database: Database): Store['audit'] {
  return {
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
