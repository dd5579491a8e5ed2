import type { ExecutionStore, Lease, Leased } from '@executor/engine';
import type { Database } from '../../database.ts';
import { columnNames } from '../../records.ts';
import type { Statement } from '../../statement.ts';
import { leaseLost } from './execution-journal.ts';
import { executionLosses, isSuspect, isUnnoted } from './execution-losses.ts';
import { executionColumns, toExecution } from './execution-row.ts';
import type { RunParts } from './run-parts.ts';

type Leases = Pick<
  ExecutionStore,
  | 'lease'
  | 'leaseNext'
  | 'renew'
  | 'holds'
  | 'endLeases'
  | 'noteLosses'
  | 'clearLosses'
  | 'excuseLoss'
  | 'nextRunnableAt'
  | 'release'
>;

/** Leases of runs. All times come from the database, so the clocks of workers need not agree. */
export function executionLeases({ database, changes, wakeUps }: RunParts): Leases {
  const taken = (rows: LeasedRecord[]): Leased[] => {
    for (const row of rows) changes.execution(row.workspace_id, row.id, { status: 'running' });
    return rows.map((row) => ({
      execution: toExecution(row),
      epoch: row.lease_epoch,
      ...(row.lost_leases > 0 && { losses: { all: row.lost_leases, alone: row.lone_losses } }),
    }));
  };
  return {
    ...executionLosses(database),

    async lease(id, owner, ttlMs) {
      const [leased] = taken(await database.query<LeasedRecord>(leaseStatement, [owner, ttlMs, id]));
      return leased;
    },

    leaseNext: async (owner, ttlMs, { limit, agents, perOwner, held, suspectAfterMs = null }) => {
      const { person, agent } = perOwner;
      const values = [owner, ttlMs, limit, agents, person, agent, JSON.stringify(held), suspectAfterMs];
      return taken(await database.query<LeasedRecord>(leaseNextStatement, values));
    },

    async renew(leases, ttlMs) {
      const values = [JSON.stringify(leases), ttlMs];
      const rows = await database.query<{ id: string }>(renewStatement, values);
      return rows.map(({ id }) => id);
    },

    async holds({ id, owner, epoch }) {
      return (await database.query(holdsStatement, [id, owner, epoch])).length > 0;
    },

    async endLeases() {
      await database.query(endLeasesStatement, []);
    },

    async nextRunnableAt({ agents, except, suspectAfterMs = null }) {
      const values = [agents, except, suspectAfterMs];
      const [row] = await database.query<{ at: Date | null }>(nextRunnableStatement, values);
      return row?.at ?? undefined;
    },

    async release(lease, { status, knownSeq, wakeAt, wakeInMs = 0 }) {
      const wakes = status === 'queued' || wakeAt !== undefined;
      const statement = releaseStatement(wakes ? await wakeUps.insertion() : '');
      const values = [lease.id, lease.owner, lease.epoch, knownSeq, status, wakeAt ?? null, wakeInMs];
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
  lost_leases: number;
  lone_losses: number;
}

const take = `
  set lease_owner = $1, lease_epoch = lease_epoch + 1, lease_until = clock_timestamp() + $2 * interval '1 ms', last_batch = 0,
    status = 'running', wake_at = null, started_at = coalesce(started_at, clock_timestamp())`;

const leasedColumns = `${columnNames(executionColumns, 'executions.')}, executions.lease_epoch, executions.lost_leases, executions.lone_losses`;

/** Of two concurrent attempts, the second waits for the first and then finds the run no longer runnable. */
const leaseStatement: Statement = {
  name: 'execution-lease',
  text: `update executions ${take} where id = $3 and runnable_at <= now() and not ${isSuspect} and not ${isUnnoted} returning ${leasedColumns}`,
};

/** Finds each owner of a run that is held or continues by itself with one look at the index, however many runs the owner has. */
const owners = `
    with recursive owners as (
      select (select owner_id from executions where runnable_at is not null order by owner_id limit 1) as id
      union all
      select (select owner_id from executions where runnable_at is not null and owner_id > owners.id order by owner_id limit 1)
      from owners where owners.id is not null
    )`;

/**
 * The first run of every owner comes before the second one of any. People come before agents. At most one is a suspect, the one that was
 * lost most often; with it, no runs of agents are taken. `now()` is constant within a transaction, so Postgres can use an index.
 */
export const leaseNextStatement: Statement = {
  name: 'execution-lease-next',
  text: `
    ${owners}, held as (
      select id, coalesce(($7::json ->> id)::integer, 0) as count from owners
    ), runnable as (
      select run.*, row_number() over (partition by held.id order by run.runnable_at) as turn, held.count as held
      from held cross join lateral (
        select id, runnable_at, principal_kind from executions
        where owner_id = held.id and runnable_at <= now() and not ${isSuspect} and not ${isUnnoted} order by runnable_at
        limit least($3, greatest(0, greatest($5::integer, $6::integer) - held.count)) for update skip locked
      ) run
    ), ranked as (
      select *, row_number() over (partition by principal_kind order by turn, runnable_at) as position from runnable
      where held + turn <= case principal_kind when 'person' then $5::integer else $6::integer end
    ), suspect as (
      select id, runnable_at from executions
      where ${isSuspect} and runnable_at is not null and runnable_at + lost_leases * $8::float8 * interval '1 ms' <= now()
      order by lost_leases desc, runnable_at limit 1 for update skip locked
    ), ready as (
      select id, runnable_at from ranked
      where principal_kind = 'person' or (position <= $4 and not exists (select from suspect))
      order by principal_kind = 'agent', turn, runnable_at limit $3
    ), next as (
      select id, runnable_at from ready union all select id, runnable_at from suspect
    ), taken as (
      update executions ${take} from next where executions.id = next.id returning ${leasedColumns}, next.runnable_at as since
    )
    select * from taken order by since`,
};

/**
 * An owner with an expired lease still holds the run until another worker takes it. A call in flight may have asked for a longer lease
 * than a renewal does; the longer one is kept. A holder that renews has not died, so a loss that was noted too early is taken back.
 */
const renewStatement: Statement = {
  name: 'execution-renew',
  text: `
    update executions set lease_until = greatest(lease_until, clock_timestamp() + $2 * interval '1 ms'),
      lost_leases = case when lost_epoch = lease_epoch then 0 else lost_leases end,
      lone_losses = case when lost_epoch = lease_epoch then 0 else lone_losses end
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
  text: `
    ${owners}, due as (
      select min(run.runnable_at) as at from owners cross join lateral (
        select runnable_at from executions
        where owner_id = owners.id and runnable_at is not null and not ${isSuspect} and ($1::boolean or principal_kind = 'person')
        order by runnable_at limit 1
      ) run
      where owners.id <> all($2::text[])
      union all
      select min(at) from (
        select runnable_at + lost_leases * $3::float8 * interval '1 ms' as at from executions
        where ${isSuspect} and runnable_at is not null order by lost_leases desc, runnable_at limit 20
      ) suspects
    )
    select date_trunc('milliseconds', min(at) + interval '999 microseconds') as at from due`,
};

const ownedBy = 'id = $1 and lease_owner = $2 and lease_epoch = $3 and finished_at is null';

const holdsStatement: Statement = {
  name: 'execution-holds',
  text: `select from executions where ${ownedBy}`,
};

function releaseStatement(wakeUp: string): Statement {
  return {
    name: `execution-release${wakeUp && '-waking'}`,
    text: `
      with run as (
        update executions
        set status = $5,
          wake_at = case
            when $5 = 'queued' then null
            when $6::timestamptz <= clock_timestamp() then clock_timestamp() + $7 * interval '1 ms'
            else $6
          end,
          lease_owner = null, lease_until = clock_timestamp(),
          lost_leases = case when $5 = 'queued' then lost_leases else 0 end,
          lone_losses = case when $5 = 'queued' then lone_losses else 0 end
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
