import type { InteractionRow, InteractionStore } from '@executor/engine';
import { getTableColumns } from 'drizzle-orm';
import { interactions } from '../../execution-schema.ts';
import { columnNames, fromRecord } from '../../records.ts';
import type { Statement } from '../../statement.ts';
import type { RunParts } from '../executions/run-parts.ts';
import { askedColumns, askedRows, toAskedRow } from './asked-row.ts';
import { findAsked, resolveInteraction } from './resolve-interaction.ts';

export function interactionStore(parts: RunParts): InteractionStore {
  const { database } = parts;
  return {
    find: (workspaceId, id) => findAsked((...statement) => database.query(...statement), workspaceId, id),

    async list(workspaceId, { status, executionId }, { cursor, limit }) {
      const values = [workspaceId, status ?? null, executionId ?? null, cursor ?? null, limit, maxPageBytes];
      // Without a name, the database plans the statement for these values.
      const rows = await database.withClient(async (client) => (await client.query(listText, values)).rows);
      const items = rows.map(toAskedRow);
      const last = items.at(-1);
      return { items, ...(rows[0]?.has_more && last && { nextCursor: last.id }) };
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

/** Agents choose the inputs that people are asked about, so a page of large questions is shorter. */
const maxPageBytes = 1024 * 1024;

const listText = `
  with listed as (
    select id, octet_length(input) + coalesce(octet_length(request), 0) as bytes from interactions
    where workspace_id = $1 and ($2::text is null or status = $2) and ($3::text is null or execution_id = $3)
      and ($4::text is null or id < $4)
    order by id desc limit $5::integer + 1
  ), sized as (
    select id, row_number() over following as number, sum(bytes) over following as bytes
    from listed window following as (order by id desc)
  ), shown as (
    select id from sized where number <= $5 and (number = 1 or bytes <= $6)
  )
  select ${askedColumns}, (select count(*) from listed) > (select count(*) from shown) as has_more
  from ${askedRows} where interactions.id in (select id from shown) order by interactions.id desc`;

const pendingStatement: Statement = {
  name: 'interactions-pending-of',
  text: `
    select ${columnNames(columns)} from interactions where execution_id = $1 and status = 'pending'
    order by created_at, call_index, ordinal`,
};
