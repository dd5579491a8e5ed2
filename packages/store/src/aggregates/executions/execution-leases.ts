import type { ExecutionStore, Lease, Leased } from '@executor/engine';
import type { Database } from '../../database.ts';
import { columnNames } from '../../records.ts';
import type { Statement } from '../../statement.ts';
import { leaseLost } from './execution-journal.ts';
import { executionColumns, toExecution } from './execution-row.ts';
import type { RunParts } from './run-parts.ts';

type Leases = Pick<
  ExecutionStore,
  'lease' | 'leaseNext' | 'renew' | 'endLeases' | 'nextRunnableAt' | 'release'
>;

/** Leases of runs. All times come from the database, so the clocks of workers need not agree. */
export function executionLeases({ database, changes, wakeUps }: RunParts): Leases {
  const taken = (rows: LeasedRecord[]): Leased[] => {
    for (const row of rows) changes.execution(row.workspace_id, row.id, { status: 'running' });
    return rows.map((row) => ({ execution: toExecution(row), epoch: row.lease_epoch }));
  };
  return {
    async lease(id, owner, ttlMs) {
      const [leased] = taken(await database.query<LeasedRecord>(leaseStatement, [owner, ttlMs, id]));
      return leased;
    },

    leaseNext: async (owner, ttlMs, limit) =>
      taken(await database.query<LeasedRecord>(leaseNextStatement, [owner, ttlMs, limit])),

    async renew(leases, ttlMs) {
      const values = [JSON.stringify(leases), ttlMs];
      const rows = await database.query<{ id: string }>(renewStatement, values);
      return rows.map(({ id }) => id);
    },

    async endLeases() {
      await database.query(endLeasesStatement, []);
    },

    async nextRunnableAt() {
      const [row] = await database.query<{ at: Date | null }>(nextRunnableStatement, []);
      return row?.at ?? undefined;
    },

    async release(lease, { status, knownSeq, wakeAt }) {
      const wakes = status === 'queued' || wakeAt !== undefined;
      const statement = releaseStatement(wakes ? await wakeUps.insertion() : '');
      const values = [lease.id, lease.owner, lease.epoch, knownSeq, status, wakeAt ?? null];
      const [row] = await database.query<{ workspace_id: string }>(statement, values);
      if (!row) return explainUnreleased(database, lease);
      changes.execution(row.workspace_id, lease.id, { status });
      if (wakes) wakeUps.sent();
      return 'released';
    },
  };
}

interface LeasedRecord {
  id: string;
  workspace_id: string;
  lease_epoch: number;
}

const take = `
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = clock_timestamp() + $2 * interval '1 ms', last_batch = 0,
    status = 'running', wake_at = null, started_at = coalesce(started_at, clock_timestamp())`;

const leasedColumns = `${columnNames(executionColumns, 'executions.')}, executions.lease_epoch`;

/** Of two concurrent attempts, the second waits for the first and then finds the run no longer runnable. */
const leaseStatement: Statement = {
  name: 'execution-lease',
  text: `update executions ${take} where id = $3 and runnable_at <= now() returning ${leasedColumns}`,
};

/** `now()` is constant within a transaction, so Postgres can use an index. */
export const leaseNextStatement: Statement = {
  name: 'execution-lease-next',
  text: `
    with next as (
      select id, runnable_at from executions where runnable_at <= now() order by runnable_at limit $3 for update skip locked
    ), taken as (
      update executions ${take} from next where executions.id = next.id returning ${leasedColumns}, next.runnable_at as since
    )
    select * from taken order by since`,
};

/**
 * An owner with an expired lease still holds the run until another worker takes it. A call in flight may have asked for a longer lease
 * than a renewal does; the longer one is kept.
 */
const renewStatement: Statement = {
  name: 'execution-renew',
  text: `
    update executions set lease_until = greatest(lease_until, clock_timestamp() + $2 * interval '1 ms')
    from json_to_recordset($1::json) as lease(id text, owner text, epoch integer)
    where executions.id = lease.id and lease_owner = lease.owner and lease_epoch = lease.epoch and finished_at is null
    returning executions.id`,
};

const endLeasesStatement: Statement = {
  name: 'execution-end-leases',
  text: `
    update executions set lease_until = now()
    where runnable_at > now() and lease_owner is not null`,
};

/** Rounded up, because the database has a finer resolution than our clock. */
export const nextRunnableStatement: Statement = {
  name: 'execution-next-runnable',
  text: `select date_trunc('milliseconds', min(runnable_at) + interval '999 microseconds') as at from executions`,
};

const ownedBy = 'id = $1 and lease_owner = $2 and lease_epoch = $3 and finished_at is null';

function releaseStatement(wakeUp: string): Statement {
  return {
    name: `execution-release${wakeUp && '-waking'}`,
    text: `
      with run as (
        update executions
        set status = $5, wake_at = case when $5 = 'waiting' then $6::timestamptz end,
          lease_owner = null, lease_until = clock_timestamp()
        where ${ownedBy} and last_seq = $4
        returning id, workspace_id, wake_at
      )${wakeUp}
      select workspace_id from run`,
  };
}

async function explainUnreleased(
  database: Database,
  { id, owner, epoch }: Lease,
): Promise<'released' | 'unread'> {
  const [row] = await database.query<{ lease_owner: string | null }>(leaseOfStatement, [id, epoch]);
  if (row?.lease_owner === owner) return 'unread';
  // The run was released before, and the acknowledgement was lost.
  if (row?.lease_owner === null) return 'released';
  throw leaseLost(id);
}

const leaseOfStatement: Statement = {
  name: 'execution-lease-of',
  text: 'select lease_owner from executions where id = $1 and lease_epoch = $2 and finished_at is null',
};
