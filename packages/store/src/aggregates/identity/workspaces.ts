import type { Store, StoredSettings } from '@executor/engine';
import { and, asc, eq, sql as raw, type SQL } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { actors, memberships, organizations, workspaces } from '../../schema.ts';
import { appendAudit } from '../audit.ts';

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
    async ids() {
      const rows = await database.run((sql) =>
        sql.select({ id: workspaces.id }).from(workspaces).orderBy(asc(workspaces.id)),
      );
      return rows.map(({ id }) => id);
    },

    async settings(workspaceId) {
      const [row] = await database.run((sql) =>
        sql.select({ settings: workspaces.settings }).from(workspaces).where(eq(workspaces.id, workspaceId)),
      );
      return row?.settings ?? {};
    },

    change: (workspaceId, { name, ...settings }, audit) =>
      database.transaction(async (sql) => {
        await sql
          .update(workspaces)
          .set({ ...(name !== undefined && { name }), settings: merged(settings) })
          .where(eq(workspaces.id, workspaceId));
        await appendAudit(sql, audit);
      }),
  };
}

/** Merged in the database, so that concurrent changes do not undo each other. Changing one limit keeps the others. */
function merged({ limits, ...settings }: StoredSettings): SQL {
  const merging = raw`${workspaces.settings} || ${JSON.stringify(settings)}::jsonb`;
  if (limits === undefined) return merging;
  return raw`${merging} || jsonb_build_object('limits',
    coalesce(${workspaces.settings} -> 'limits', '{}') || ${JSON.stringify(limits)}::jsonb)`;
}
