import type { InteractionStore } from '@executor/engine';
import { and, asc, desc, eq, lt } from 'drizzle-orm';
import { interactions } from '../execution-schema.ts';
import { toPage } from './page.ts';
import { resolveInteraction } from './resolve-interaction.ts';
import type { RunParts } from './run-parts.ts';

export function interactionStore(parts: RunParts): InteractionStore {
  const { database } = parts;
  return {
    async find(workspaceId, id) {
      const [row] = await database.run((sql) =>
        sql
          .select()
          .from(interactions)
          .where(and(eq(interactions.workspaceId, workspaceId), eq(interactions.id, id))),
      );
      return row;
    },

    async list(workspaceId, { status, executionId }, page) {
      const rows = await database.run((sql) =>
        sql
          .select()
          .from(interactions)
          .where(
            and(
              eq(interactions.workspaceId, workspaceId),
              status && eq(interactions.status, status),
              executionId === undefined ? undefined : eq(interactions.executionId, executionId),
              page.cursor === undefined ? undefined : lt(interactions.id, page.cursor),
            ),
          )
          .orderBy(desc(interactions.id))
          .limit(page.limit + 1),
      );
      return toPage(rows, page);
    },

    pendingOf: (executionId) =>
      database.run((sql) =>
        sql
          .select()
          .from(interactions)
          .where(and(eq(interactions.executionId, executionId), eq(interactions.status, 'pending')))
          .orderBy(asc(interactions.createdAt), asc(interactions.callIndex), asc(interactions.ordinal)),
      ),

    resolve: (workspaceId, id, answer, audit) =>
      resolveInteraction(parts, { workspaceId, id, answer, audit }),
  };
}
