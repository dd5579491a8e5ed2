import type { Installation, NewAccount, Store } from '@executor/engine';
import { sql as drizzle } from 'drizzle-orm';
import type { Database, Sql } from '../../database.ts';
import { actors, installation, memberships, organizations, workspaces } from '../../schema.ts';
import { appendAudit } from '../audit.ts';

export function installationStore(database: Database): Store['installations'] {
  return {
    find: () => database.run(find),
    provision: (account, audit) =>
      database.transaction(async (sql) => {
        // Locked before reading, so that the second of two first starts sees the first one's row.
        await sql.execute('lock table installation in exclusive mode');
        const existing = await find(sql);
        if (existing) return existing;
        await insertAccount(sql, account);
        await appendAudit(sql, audit);
        return {
          id: account.installationId,
          createdAt: account.at,
          owner: { actorId: account.actor.id, workspaceId: account.workspace.id },
        };
      }),
    stateKey: (candidate) =>
      database.run(async (sql) => {
        const [row] = await sql
          .update(installation)
          .set({ stateKey: drizzle`coalesce(${installation.stateKey}, ${candidate})` })
          .returning({ stateKey: installation.stateKey });
        if (row?.stateKey == null) throw new Error('There is no installation yet.');
        return row.stateKey;
      }),
  };
}

async function find(sql: Sql): Promise<Installation | undefined> {
  const [row] = await sql.select().from(installation);
  return (
    row && {
      id: row.id,
      createdAt: row.createdAt,
      owner: { actorId: row.ownerActorId, workspaceId: row.ownerWorkspaceId },
    }
  );
}

async function insertAccount(
  sql: Sql,
  { installationId, organization, workspace, actor, at }: NewAccount,
): Promise<void> {
  await sql.insert(organizations).values({ ...organization, createdAt: at });
  await sql.insert(workspaces).values({ ...workspace, organizationId: organization.id, createdAt: at });
  await sql.insert(actors).values({ ...actor, kind: 'person', createdAt: at });
  await sql
    .insert(memberships)
    .values({ workspaceId: workspace.id, actorId: actor.id, role: 'owner', createdAt: at });
  await sql.insert(installation).values({
    singleton: 'installation',
    id: installationId,
    ownerActorId: actor.id,
    ownerWorkspaceId: workspace.id,
    createdAt: at,
  });
}
