import type { Delivery, DeliveryStore } from '@executor/engine';
import type { Changes } from '../changes/changes.ts';
import type { Database } from '../database.ts';
import type { Statement } from '../statement.ts';

export function deliveryStore(database: Database, { processId }: Pick<Changes, 'processId'>): DeliveryStore {
  // Only one process at a time has an embedded database.
  const joinStatement = joinUnless(database.kind === 'pglite' ? 'false' : isRunning);
  return {
    async save({ executionId, ownerId, codeHash, answer, shown }) {
      await database.query(saveStatement, [
        executionId,
        ownerId,
        codeHash,
        lostInMs(answer),
        shown ? JSON.stringify(shown) : null,
        processId,
      ]);
    },

    async find(executionId, ownerId) {
      const [row] = await database.query<{ is_delivered: boolean; shown: string }>(findStatement, [
        executionId,
        ownerId,
      ]);
      return row && { isDelivered: row.is_delivered, shown: JSON.parse(row.shown) };
    },

    async join({ workspaceId, ownerId, codeHash, requestKey, maxAgeMs, withinMs }) {
      const values = [workspaceId, ownerId, codeHash, requestKey, maxAgeMs, withinMs, processId];
      const [row] = await database.query<{ execution_id: string }>(joinStatement, values);
      return row?.execution_id;
    },
  };
}

/** Null: never. */
function lostInMs(answer: Delivery['answer']): number | null {
  switch (answer.type) {
    case 'expected':
      return answer.withinMs;
    case 'lost':
      return 0;
    case 'delivered':
      return null;
  }
}

/** Writes nothing if the run has been removed. */
const saveStatement: Statement = {
  name: 'delivery-save',
  text: `
    insert into deliveries (execution_id, owner_id, code_hash, created_at, lost_at, shown, waits_in)
    select id, $2, $3, clock_timestamp(), clock_timestamp() + $4::float8 * interval '1 ms', coalesce($5, '[]'), $6
    from executions where id = $1
    on conflict (execution_id, owner_id) do update
    set lost_at = excluded.lost_at, shown = coalesce($5, deliveries.shown), waits_in = excluded.waits_in`,
};

const findStatement: Statement = {
  name: 'delivery-find',
  text: `
    select lost_at is null as is_delivered, shown from deliveries where execution_id = $1 and owner_id = $2`,
};

/** A process holds this lock while it has the database open. */
const isRunning = 'not pg_try_advisory_xact_lock(hashtextextended(waits_in, 0))';

function joinUnless(isWaiting: string): Statement {
  return {
    name: 'delivery-join',
    text: `
      update deliveries set joined_by = $4, lost_at = clock_timestamp() + $6::float8 * interval '1 ms', waits_in = $7
      where owner_id = $2 and execution_id = (
        select execution_id from deliveries
        where owner_id = $2 and code_hash = $3 and (joined_by = $4 or (
          joined_by is null and lost_at is not null and created_at > clock_timestamp() - $5::float8 * interval '1 ms'
          and (lost_at <= clock_timestamp() or not (waits_in is not distinct from $7 or ${isWaiting}))
          and not exists (
            select from executions where workspace_id = $1 and executions.owner_id = $2 and idempotency_key = $4
          )
        ))
        order by joined_by is null, created_at desc limit 1 for update skip locked
      )
      returning execution_id`,
  };
}
