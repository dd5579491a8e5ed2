import type { TakenResource, UsageOwner, UsageRow, UsageStore } from '@executor/engine';
import type { Database } from '../../database.ts';
import type { Statement } from '../../statement.ts';
import { fitsWithin, limitValues, usedBy } from './limits.ts';
import { removePayloads } from './remove-payloads.ts';

export function usageStore(database: Database): UsageStore {
  return {
    list: (workspaceId) => database.query<UsageRow>(listStatement, [workspaceId]),

    async take({ workspaceId, ownerId, kind }, resource, amount, limit) {
      const values = [workspaceId, ownerId, kind, amount, limitValues(limit)];
      const taken = await database.query(takeStatements[resource], values);
      return taken.length > 0;
    },

    async giveBack({ workspaceId, ownerId }, questions) {
      await database.query(giveBackStatement, [workspaceId, ownerId, questions]);
    },

    removePayloads: (owner: UsageOwner, toBytes, hint) => removePayloads(database, { owner, toBytes, hint }),

    async recount(workspaceId) {
      const owners = await database.query<{ owner_id: string }>(ownersStatement, [workspaceId]);
      // One owner at a time, so that other queries are not blocked.
      for (const { owner_id } of owners) {
        await database.query(recountStatement, [workspaceId, owner_id]);
        await database.query(recountQuestionsStatement, [workspaceId, owner_id]);
      }
    },
  };
}

const today = `(clock_timestamp() at time zone 'utc')::date`;

const listStatement: Statement = {
  name: 'usage-list',
  text: `
    select owner_id as "ownerId", kind, bytes::float8 as bytes, runs, questions,
      case when audit_day = ${today} then audit_rows else 0 end as "auditRows"
    from stored_usage where workspace_id = $1 order by owner_id`,
};

const changes: Record<TakenResource, string> = {
  questions: 'questions = stored_usage.questions + $4',
  auditRows: `audit_day = ${today}, audit_rows = $4 + case when stored_usage.audit_day = ${today} then stored_usage.audit_rows else 0 end`,
};

/** Locks the owner's row first, so that of two concurrent callers the second sees what the first took. */
const takeStatement = (resource: TakenResource): Statement => ({
  name: `usage-take-${resource}`,
  text: `
    with locked as materialized (
      select * from stored_usage where workspace_id = $1 and owner_id = $2 for update
    ), others as (
      select * from stored_usage where workspace_id = $1 and owner_id <> $2
    ), ${usedBy({ workspaceId: '$1', ownerId: '$2', from: '(select * from locked union all select * from others) as rows' })}
    insert into stored_usage (workspace_id, owner_id, kind, ${resource === 'questions' ? 'questions' : 'audit_rows, audit_day'})
    select $1, $2, $3, $4::integer${resource === 'questions' ? '' : `, ${today}`} from used where ${fitsWithin(resource, '$4::integer', '$5')}
    on conflict (workspace_id, owner_id) do update set ${changes[resource]}
    returning 1`,
});

const takeStatements: Record<TakenResource, Statement> = {
  questions: takeStatement('questions'),
  auditRows: takeStatement('auditRows'),
};

const giveBackStatement: Statement = {
  name: 'usage-give-back',
  text: `
    update stored_usage set questions = greatest(0, questions - $3::integer)
    where workspace_id = $1 and owner_id = $2`,
};

const ownersStatement: Statement = {
  name: 'usage-owners',
  text: 'select owner_id from stored_usage where workspace_id = $1',
};

/** Adds the difference to the counts, because other processes change them meanwhile. */
const recountStatement: Statement = {
  name: 'usage-recount',
  text: `
    with stored as (
      select count(*) as runs, coalesce(sum(charged_bytes), 0) as bytes
      from executions where workspace_id = $1 and owner_id = $2
    ), kept as (
      select coalesce(sum(octet_length(content)), 0) as bytes
      from executions join artifacts on artifacts.execution_id = executions.id
        join artifact_chunks on artifact_chunks.artifact_id = artifacts.id
      where executions.workspace_id = $1 and executions.owner_id = $2
    ), counted as (
      select bytes, runs from stored_usage where workspace_id = $1 and owner_id = $2
    )
    update stored_usage set
      bytes = greatest(0, stored_usage.bytes + stored.bytes + kept.bytes - counted.bytes),
      runs = greatest(0, stored_usage.runs + stored.runs - counted.runs)
    from stored, kept, counted where workspace_id = $1 and owner_id = $2`,
};

const recountQuestionsStatement: Statement = {
  name: 'usage-recount-questions',
  text: `
    update stored_usage set questions = (
      select count(*) from interactions join executions on executions.id = interactions.execution_id
      where interactions.workspace_id = $1 and interactions.status = 'pending' and executions.owner_id = $2
    )
    where workspace_id = $1 and owner_id = $2`,
};
