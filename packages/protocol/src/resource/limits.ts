/**
 * The limits of one resource, of a server process or of a workspace. `perKey` is for one credential, `agents` for all agents together, and `total` for
 * everybody. The difference between `total` and `agents` is the reserve of people.
 */
export interface ResourceLimits {
  readonly perKey: number;
  readonly agents: number;
  readonly total: number;
}

type LimitScope = keyof ResourceLimits;

interface ResourceRow extends ResourceLimits {
  readonly unit: 'count' | 'bytes';
  readonly description: string;
}

const mebibyte = 1024 * 1024;

/** Everything that a request or a run holds for a while in one process, with the default limits. This file loads no schema library. */
export const resourceTable = {
  requests: {
    unit: 'count',
    description: 'requests in flight, except waits and streams',
    perKey: 32,
    agents: 96,
    total: 256,
  },
  waits: {
    unit: 'count',
    description: 'requests that wait for a run',
    perKey: 64,
    agents: 400,
    total: 600,
  },
  streams: {
    unit: 'count',
    description: 'open event streams',
    perKey: 64,
    agents: 400,
    total: 600,
  },
  connections: {
    unit: 'count',
    description: 'connections to the server',
    perKey: 512,
    agents: 1_500,
    total: 2_000,
  },
  statements: {
    unit: 'count',
    description: 'statements and transactions at work in the database',
    perKey: 5,
    agents: 8,
    total: 10,
  },
  requestBytes: {
    unit: 'bytes',
    description: 'request bodies in memory',
    perKey: 32 * mebibyte,
    agents: 64 * mebibyte,
    total: 128 * mebibyte,
  },
  calls: {
    unit: 'count',
    description: 'tool calls that were sent',
    perKey: 1_000,
    agents: 2_000,
    total: 2_500,
  },
  answerBytes: {
    unit: 'bytes',
    description: 'memory for answers of up to 1 MB',
    perKey: 64 * mebibyte,
    agents: 128 * mebibyte,
    total: 192 * mebibyte,
  },
  historyBytes: {
    unit: 'bytes',
    description: 'results that runs in memory keep',
    perKey: 96 * mebibyte,
    agents: 192 * mebibyte,
    total: 256 * mebibyte,
  },
  largeAnswerBytes: {
    unit: 'bytes',
    description: 'memory for larger answers',
    perKey: 48 * mebibyte,
    agents: 96 * mebibyte,
    total: 160 * mebibyte,
  },
  starts: {
    unit: 'count',
    description: 'runs that are being compiled, checked and started',
    perKey: 6,
    agents: 7,
    total: 8,
  },
  runs: {
    unit: 'count',
    description: 'runs in memory of a worker',
    perKey: 25,
    agents: 90,
    total: 100,
  },
  ownCalls: {
    unit: 'count',
    description: "calls of Executor's own tools at work",
    perKey: 1,
    agents: 2,
    total: 4,
  },
} as const satisfies Record<string, ResourceRow>;

export type ResourceName = keyof typeof resourceTable;

/**
 * Everything that a workspace keeps in the database, for all processes. People have no limit of their own here: only `total` counts for
 * them, and an answer, a cancellation or a revocation asks for nothing.
 */
export const storedTable = {
  storedBytes: {
    unit: 'bytes',
    description: 'stored runs, inputs, outputs and artifacts',
    perKey: 1024 * mebibyte,
    agents: 8 * 1024 * mebibyte,
    total: 10 * 1024 * mebibyte,
  },
  storedRuns: {
    unit: 'count',
    description: 'stored runs',
    perKey: 100_000,
    agents: 400_000,
    total: 500_000,
  },
  pendingQuestions: {
    unit: 'count',
    description: 'questions that wait for a person',
    perKey: 200,
    agents: 1_000,
    total: 1_200,
  },
  auditRows: {
    unit: 'count',
    description: 'entries of the audit log today (UTC)',
    perKey: 20_000,
    agents: 60_000,
    total: 80_000,
  },
} as const satisfies Record<string, ResourceRow>;

export type StoredResourceName = keyof typeof storedTable;

/** The free disk space that only people's writes may use, if the database is embedded. */
export const diskReserve = { name: 'disk.reserve', bytes: 256 * mebibyte } as const;

/** Limits that differ from the defaults, by `RESOURCE.SCOPE`, such as `answerBytes.perKey`. */
export type LimitChanges = Readonly<Record<string, number>>;

const limitScopes = ['perKey', 'agents', 'total'] as const satisfies readonly LimitScope[];

/** The shares of a worker with another number of slots. A small worker has no shares; keys only take turns. */
export function sharesOf(concurrency: number): LimitChanges {
  const { perKey, agents, total } = resourceTable.runs;
  const share = (part: number) => (concurrency < 10 ? concurrency : Math.floor((concurrency * part) / total));
  return { 'runs.perKey': share(perKey), 'runs.agents': share(agents), 'runs.total': concurrency };
}

/** The names that `LimitChanges` may contain. */
export function limitNames(): string[] {
  const names = [...Object.keys(resourceTable), ...Object.keys(storedTable)];
  return [...names.flatMap((name) => limitScopes.map((scope) => `${name}.${scope}`)), diskReserve.name];
}

/** The limits of a resource. A wider scope is never smaller than a narrower one, so that raising one limit is enough. */
export function limitsOf(
  name: ResourceName | StoredResourceName,
  changes: LimitChanges = {},
): ResourceLimits {
  const row: ResourceRow = { ...resourceTable, ...storedTable }[name];
  const value = (scope: LimitScope) => changes[`${name}.${scope}`];
  const total = value('total') ?? Math.max(row.total, value('agents') ?? 0, value('perKey') ?? 0);
  const agents = Math.min(total, value('agents') ?? Math.max(row.agents, value('perKey') ?? 0));
  return { perKey: Math.min(total, value('perKey') ?? row.perKey), agents, total };
}
