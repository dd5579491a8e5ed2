import type { InteractionRow, InteractionStore } from '@executor/engine';
import { and, desc, eq, getTableColumns, lt } from 'drizzle-orm';
import { interactions } from '../../execution-schema.ts';
import { columnNames, fromRecord } from '../../records.ts';
import type { Statement } from '../../statement.ts';
import type { RunParts } from '../executions/run-parts.ts';
import { toPage } from '../page.ts';
import { findAsked, resolveInteraction } from './resolve-interaction.ts';

export function interactionStore(parts: RunParts): InteractionStore {
  const { database } = parts;
  return {
    find: (workspaceId, id) => findAsked((...statement) => database.query(...statement), workspaceId, id),

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

    async pendingOf(executionId) {
      const rows = await database.query(pendingStatement, [executionId]);
      return rows.map((row) => fromRecord<InteractionRow>(columns, row));
    },

    resolve: (workspaceId, id, answer, audit) =>
      resolveInteraction(parts, { workspaceId, id, answer, audit }),
  };
}

const columns = getTableColumns(interactions);

const pendingStatement: Statement = {
  name: 'interactions-pending-of',
  text: `
    select ${columnNames(columns)} from interactions where execution_id = $1 and status = 'pending'
    order by created_at, call_index, ordinal`,
};
