import type { ExecutionStore } from '@executor/engine';
import type { Database } from '../../database.ts';
import type { Statement } from '../../statement.ts';

type Losses = Pick<ExecutionStore, 'noteLosses' | 'clearLosses' | 'excuseLoss'>;

/** Part of a condition: a process ended while it executed the run. */
export const isSuspect = '(lost_leases > 0)';

/** Part of a statement of the worker $1: the holder is another process, or was one, and the loss of its lease would have to be noted. */
export const isUnnoted = `(lease_owner is not null and lease_owner <> $1 and status = 'running' and lost_epoch < lease_epoch)`;

/** What the database knows of processes that ended without releasing their runs. */
export function executionLosses(database: Database): Losses {
  return {
    async noteLosses(owner) {
      await database.query(noteLossesStatement, [owner]);
    },
    async clearLosses({ id, epoch }) {
      await database.query(clearStatement, [id, epoch]);
    },
    async excuseLoss({ id, owner, epoch }) {
      await database.query(excuseStatement, [id, owner, epoch]);
    },
  };
}

/**
 * A process is taken for dead if one of its leases has expired. Its other runs are noted at the same time, even if their leases last
 * longer: afterwards nobody could tell what was executing together. The comparison with the empty text makes Postgres use the index.
 */
export const noteLossesStatement: Statement = {
  name: 'execution-note-losses',
  text: `
    with held as (
      select id as run_id, count(*) over (partition by lease_owner) = 1 as alone,
        bool_or(lease_until <= now() and lost_epoch < lease_epoch) over (partition by lease_owner) as is_dead
      from executions
      where lease_owner is not null and lease_owner >= '' and lease_owner <> $1 and finished_at is null and status = 'running'
    )
    update executions
    set lost_leases = lost_leases + 1, lone_losses = lone_losses + held.alone::integer, lost_epoch = lease_epoch
    from held where executions.id = held.run_id and held.is_dead and ${isUnnoted}`,
};

/** The loss of a later epoch stays. */
const clearStatement: Statement = {
  name: 'execution-clear-losses',
  text: 'update executions set lost_leases = 0, lone_losses = 0 where id = $1 and (lease_epoch = $2 or lost_epoch = $2)',
};

const excuseStatement: Statement = {
  name: 'execution-excuse-loss',
  text: `
    update executions set lost_epoch = lease_epoch
    where id = $1 and lease_owner = $2 and lease_epoch = $3 and finished_at is null`,
};
