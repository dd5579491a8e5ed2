import type { StoredLimit } from '@executor/engine';

/** Finished runs above this size lose their large inputs and outputs when their owner needs room. */
export const payloadBytes = 16 * 1024;

export const noLimit: StoredLimit = {
  perKey: Number.POSITIVE_INFINITY,
  agents: Number.POSITIVE_INFINITY,
  total: Number.POSITIVE_INFINITY,
};

/** A limit as one parameter, an array. */
export function limitValues({ perKey, agents, total }: StoredLimit): number[] {
  return [perKey, agents, total];
}

const counted = {
  bytes: 'bytes',
  runs: 'runs',
  questions: 'questions',
  auditRows: `case when audit_day = (clock_timestamp() at time zone 'utc')::date then audit_rows else 0 end`,
};

type Counted = keyof typeof counted;

/** Part of a statement: `used` is one row with what the owner, all agents and everybody in the workspace have. */
export function usedBy({ workspaceId, ownerId, from = 'stored_usage' }: Using): string {
  const sums = Object.entries(counted).map(([name, count]) => {
    const sum = (filter = '') => `coalesce(sum(${count})${filter}, 0)::float8`;
    return `${sum(` filter (where owner_id = ${ownerId})`)} as "${name}OfOwner", ${sum(` filter (where kind = 'agent')`)} as "${name}OfAgents", ${sum()} as "${name}OfAll"`;
  });
  return `used as (select ${sums.join(', ')} from ${from} where workspace_id = ${workspaceId})`;
}

interface Using {
  workspaceId: string;
  ownerId: string;
  from?: string;
}

/** A condition on `used`: another amount stays within the limit, a parameter from `limitValues`. */
export function fitsWithin(name: Counted, amount: string, limit: string): string {
  const scopes = ['OfOwner', 'OfAgents', 'OfAll'].map(
    (scope, index) => `used."${name}${scope}" + ${amount} <= (${limit}::float8[])[${index + 1}]`,
  );
  return `(${scopes.join(' and ')})`;
}

/** The size of the artifacts of a run. Does not read the content. */
export function artifactBytes(executionId: string): string {
  return `coalesce((
      select sum(octet_length(content)) from artifacts join artifact_chunks on artifact_id = artifacts.id
      where artifacts.execution_id = ${executionId}
    ), 0)`;
}
