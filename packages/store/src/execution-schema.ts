import type { ExecutionRow, Program, ResolutionRow } from '@executor/engine';
import type { ExecutionError, ExecutionLimits, ExecutionUsage, NewPolicy } from '@executor/protocol';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { bytes, createdAt, id, jsonText, time, transactionId } from './columns.ts';
import { workspaceId } from './schema.ts';

/** The tables of runs: state, journals, questions and artifacts. */
export const executions = pgTable(
  'executions',
  {
    id: id(),
    workspaceId: workspaceId(),
    actorId: text().notNull(),
    ownerId: text().notNull(),
    principalKind: text({ enum: ['person', 'agent'] }).notNull(),
    clientId: text(),
    credentialId: text(),
    runtimeId: text().notNull(),
    code: jsonText<string>().notNull(),
    /** The start of the code, so that lists need not read all of it. */
    codeExcerpt: jsonText<string>().notNull(),
    program: jsonText<Program>(),
    build: text().notNull(),
    seed: text().notNull(),
    epoch: doublePrecision().notNull(),
    limits: jsonText<ExecutionLimits>().notNull(),
    metadata: jsonText<Record<string, unknown>>(),
    idempotencyKey: text(),
    requestHash: text().notNull(),
    createdAt: createdAt(),
    status: text({ enum: ['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'] }).notNull(),
    result: jsonText<string>(),
    error: jsonText<ExecutionError>(),
    omitted: jsonText<NonNullable<ExecutionRow['omitted']>>(),
    usage: jsonText<ExecutionUsage>(),
    startedAt: time(),
    finishedAt: time(),
    /** When a waiting run without a holder continues. */
    wakeAt: time(),
    lastSeq: integer().notNull(),
    /** Null if the run was released or never taken. An owner whose lease expired may write until another worker takes the run. */
    leaseOwner: text(),
    leaseEpoch: integer().notNull(),
    /** By the database's clock. For a run without a holder: when it was created or released. */
    leaseUntil: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
    /** The last batch of the current lease. */
    lastBatch: integer().notNull(),
    /** The size of the row, its journal and its questions, without artifacts. */
    storedBytes: bigint({ mode: 'number' }).notNull().default(0),
    /** The part of it that its owner has been charged with (`stored_usage`). */
    chargedBytes: bigint({ mode: 'number' }).notNull().default(0),
    /** Whether deleting the payloads of this finished run would free a notable amount. */
    hasPayload: boolean().notNull().default(false),
    /** When and why its payloads were deleted. */
    removed: jsonText<NonNullable<ExecutionRow['removed']>>(),
    /** How often a holder ended without releasing the run while it executed. Reset when the run waits or survives for a while. */
    lostLeases: integer().notNull().default(0),
    /** How many of these holders executed nothing else at that time. */
    loneLosses: integer().notNull().default(0),
    /** The last epoch whose loss was noted, or was excused in advance. */
    lostEpoch: integer().notNull().default(0),
    /**
     * When a worker may take the run. Null while the run waits for an answer and after it ended. A holder that did not say how long the run
     * waits has died, so the end of its lease counts whatever the status.
     */
    runnableAt: timestamp({ withTimezone: true, mode: 'date' }).generatedAlwaysAs(
      sql`case when finished_at is not null then null when lease_owner is null and status = 'waiting' then wake_at else lease_until end`,
    ),
  },
  (table) => [
    uniqueIndex('executions_idempotency')
      .on(table.workspaceId, table.ownerId, table.idempotencyKey)
      .where(sql`${table.idempotencyKey} is not null`),
    index('executions_workspace').on(table.workspaceId, table.id),
    // An agent lists only its own runs.
    index('executions_owner').on(table.workspaceId, table.ownerId, table.id),
    index('executions_unfinished')
      .on(table.workspaceId, table.status, table.id)
      .where(sql`${table.finishedAt} is null`),
    index('executions_finished')
      .on(table.workspaceId, table.finishedAt)
      .where(sql`${table.finishedAt} is not null`),
    index('executions_payload')
      .on(table.workspaceId, table.ownerId, table.finishedAt)
      .where(sql`${table.hasPayload} and ${table.finishedAt} is not null`),
    // What a process was executing when it died.
    index('executions_executing')
      .on(table.leaseOwner)
      .where(
        sql`${table.leaseOwner} is not null and ${table.finishedAt} is null and ${table.status} = 'running'`,
      ),
    // Nearly always empty. In the order in which suspects are taken, so that Postgres uses it even if it has no statistics.
    index('executions_suspects')
      .on(table.lostLeases.desc().nullsFirst(), table.runnableAt)
      .where(sql`${table.lostLeases} > 0 and ${table.runnableAt} is not null`),
    // Contains only runs that are held or continue by themselves. Thousands of runs that wait for answers cost the sweeper nothing.
    index('executions_runnable')
      .on(table.ownerId, table.runnableAt)
      .where(sql`${table.runnableAt} is not null`),
  ],
);

/**
 * The journals. There is no foreign key: rows are inserted only with a change of their run, and a check would cost as much as the row
 * itself.
 */
export const events = pgTable(
  'events',
  {
    /** The subject of the event: either a run or a source. */
    executionId: text(),
    sourceId: text(),
    /** The number of the event in the run, or the revision of the source. */
    seq: integer().notNull(),
    workspaceId: text().notNull(),
    at: time().notNull(),
    type: text().notNull(),
    callIndex: integer(),
    /** The whole event without `at`. */
    data: jsonText<{ type: string }>().notNull(),
    /** The transaction that wrote the event. It orders the workspace's feed. */
    tx: transactionId().notNull().default(sql`pg_current_xact_id()`),
  },
  (table) => [
    uniqueIndex('events_of_executions').on(table.executionId, table.seq),
    uniqueIndex('events_of_source').on(table.sourceId, table.seq).where(sql`${table.sourceId} is not null`),
    // Also rejects the events of sources that an older version writes under an execution's id.
    check(
      'events_subject',
      sql`num_nonnulls(${table.executionId}, ${table.sourceId}) = 1 and (${table.sourceId} is not null or ${table.type} not like 'source.%')`,
    ),
    // A page of calls reads only the events of its own calls.
    index('events_of_calls')
      .on(table.executionId, table.callIndex)
      .where(sql`${table.callIndex} is not null`),
    // To describe a run, only its log and its changes of status are read.
    index('events_outside_calls').on(table.executionId, table.seq).where(sql`${table.callIndex} is null`),
    index('events_feed')
      .on(table.workspaceId, table.tx, sql`coalesce(execution_id, source_id)`, table.seq)
      .where(
        sql`${table.type} like 'execution.%' or ${table.type} like 'interaction.%' or ${table.type} like 'source.%'`,
      ),
    // For retention. Source events are rare among the journals of runs.
    index('events_of_sources').on(table.workspaceId, table.at).where(sql`${table.sourceId} is not null`),
  ],
);

const executionId = () =>
  text()
    .notNull()
    .references(() => executions.id, { onDelete: 'cascade' });

export const interactions = pgTable(
  'interactions',
  {
    id: id(),
    workspaceId: text().notNull(),
    executionId: executionId(),
    callIndex: integer().notNull(),
    ordinal: integer().notNull(),
    kind: text({ enum: ['approval', 'elicitation', 'credential', 'oauth', 'reconcile'] }).notNull(),
    toolPath: jsonText<string>().notNull(),
    effect: text({ enum: ['read', 'write', 'destructive'] }).notNull(),
    input: jsonText<string>().notNull(),
    request: jsonText<string>(),
    prompt: jsonText<string>().notNull(),
    binding: text().notNull(),
    remember: jsonText<NewPolicy>(),
    createdAt: createdAt(),
    expiresAt: time(),
    status: text({ enum: ['pending', 'resolved', 'expired', 'withdrawn'] }).notNull(),
    resolvedAt: time(),
    resolution: jsonText<ResolutionRow>(),
  },
  (table) => [
    index('interactions_workspace').on(table.workspaceId, table.id),
    index('interactions_pending').on(table.workspaceId, table.id).where(sql`${table.status} = 'pending'`),
    index('interactions_execution').on(table.executionId, table.id),
  ],
);

/** What callers have received about their runs. Runs that end at once have no row: their answer was delivered. */
export const deliveries = pgTable(
  'deliveries',
  {
    executionId: executionId(),
    ownerId: text().notNull(),
    /** A hash of the run's code, to find the run when its code is sent again. */
    codeHash: text().notNull(),
    createdAt: createdAt(),
    /** When the answer counts as lost. In the future while a request waits for it; null when it was delivered. */
    lostAt: timestamp({ withTimezone: true, mode: 'date' }),
    /** The process whose request waits for the answer. If it has died, the answer is lost. */
    waitsIn: text(),
    /** The request that joined the run after its answer was lost. */
    joinedBy: text(),
    /** The ids of the questions in the last answer. */
    shown: jsonText<string[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.executionId, table.ownerId] }),
    index('deliveries_code').on(table.ownerId, table.codeHash),
  ],
);

export const artifacts = pgTable(
  'artifacts',
  {
    id: id(),
    workspaceId: text().notNull(),
    executionId: executionId(),
    mediaType: jsonText<string>().notNull(),
    name: jsonText<string>(),
    bytes: bigint({ mode: 'number' }).notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('artifacts_execution').on(table.executionId)],
);

/** The content in chunks, so that a part can be read alone and no statement carries all of it. */
export const artifactChunks = pgTable(
  'artifact_chunks',
  {
    artifactId: text()
      .notNull()
      .references(() => artifacts.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    content: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.artifactId, table.number] })],
);
