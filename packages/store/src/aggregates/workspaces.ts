import type { Store } from '@executor/engine';
import { and, eq } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { actors, memberships, organizations, workspaces } from '../schema.ts';
import { appendAudit } from './audit.ts';

export function workspaceStore(database: Database): Store['workspaces'] {
  return {
    async describe(workspaceId, actorId) {
      const [row] = await database.run((sql) =>
        sql
          .select({
            organization: { id: organizations.id, name: organizations.name },
            workspace: { id: workspaces.id, name: workspaces.name },
            actor: { id: actors.id, name: actors.name },
          })
          .from(memberships)
          .innerJoin(workspaces, eq(workspaces.id, memberships.workspaceId))
          .innerJoin(organizations, eq(organizations.id, workspaces.organizationId))
          .innerJoin(actors, eq(actors.id, memberships.actorId))
          .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.actorId, actorId))),
      );
      return row;
    },
    rename: (workspaceId, name, audit) =>
      database.transaction(async (sql) => {
        await sql.update(workspaces).set({ name }).where(eq(workspaces.id, workspaceId));
        await appendAudit(sql, audit);
      }),
  };
}
