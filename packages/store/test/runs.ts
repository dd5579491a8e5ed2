import {
  type ExecutionRow,
  type FeedRow,
  type Lease,
  type LeaseShare,
  type NewEvent,
  type NewExecutionRow,
  type NewInteractionRow,
  newId,
  type RunEnding,
  type RunStart,
  type Store,
} from '@executor/engine';
import { at, later } from './fixture.ts';

/** The part of an implementation that the suites of runs need. It may have no database. Time passes by the clock of the leases. */
export interface RunFixture {
  readonly store: Pick<Store, 'executions' | 'interactions'>;
  newWorkspace(label: string): Promise<Tenant>;
  passTime(milliseconds: number): Promise<void>;
  /** By the clock of the leases. */
  now(): Date;
}

export interface Tenant {
  workspace: { id: string };
  actor: { id: string };
}

/** Longer than any test takes. */
export const longMs = 600_000;
export const shortMs = 40;

/** Text that a database may not store unchanged. */
export const oddText = 'nul \u0000, half \ud83d, other half \udc00, \u2028 é 👍 " \\ \\u0000 \' $1';

export function runOf({ workspace, actor }: Tenant, changes: Partial<NewExecutionRow> = {}): NewExecutionRow {
  const createdAt = changes.createdAt ?? at;
  return {
    id: newId('exe', createdAt),
    workspaceId: workspace.id,
    actorId: actor.id,
    ownerId: actor.id,
    principalKind: 'person',
    clientId: null,
    credentialId: null,
    runtimeId: 'quickjs',
    code: 'return 1',
    program: { source: 'return 1', code: 'async () => { return 1 }', head: 14 },
    build: 'build-1',
    seed: 'seed-1',
    epoch: at.getTime(),
    limits: { cpuMs: 1_000, memoryMb: 64, calls: 100, resultBytes: 1_000, logBytes: 1_000 },
    metadata: null,
    idempotencyKey: null,
    requestHash: 'hash-1',
    createdAt,
    ...changes,
  };
}

export const created: NewEvent = { type: 'execution.created', at };
export const requested: NewEvent = { type: 'execution.cancelRequested', actorId: 'act_1', at };
export const cancelled: NewEvent = { type: 'execution.cancelled', at: later(9) };

export function logged(text: string, index = 0): NewEvent {
  return { type: 'log', index, level: 'info', text, at } as unknown as NewEvent;
}

export function dispatched(index: number): NewEvent {
  return { type: 'call.dispatched', index, attempt: 1, at };
}

export function endingOf(changes: Partial<RunEnding> = {}): RunEnding {
  return {
    events: [{ type: 'execution.completed', at: later(5) }],
    status: 'completed',
    result: '1',
    error: null,
    omitted: null,
    usage: { cpuMs: 1.5, memoryBytes: 2, calls: 3, logBytes: 4, resultBytes: 5 },
    finishedAt: later(5),
    ...changes,
  };
}

/** The start of a run that failed before it began. */
export function refusalOf(error: RunEnding['error']): RunStart {
  const { events: _, ...ending } = endingOf({ status: 'failed', result: null, error, usage: null });
  return { type: 'ended', startedAt: null, ending };
}

export function questionOf(
  run: { id: string; workspaceId: string },
  changes: Partial<NewInteractionRow> = {},
) {
  const createdAt = changes.createdAt ?? at;
  return {
    id: newId('int', createdAt),
    workspaceId: run.workspaceId,
    executionId: run.id,
    callIndex: 0,
    ordinal: 0,
    kind: 'approval',
    toolPath: 'github.issues.create',
    effect: 'write',
    input: '{"title":"One"}',
    request: '{"method":"POST"}',
    prompt: 'Create an issue?',
    binding: 'binding-1',
    remember: null,
    createdAt,
    expiresAt: null,
    ...changes,
  } satisfies NewInteractionRow;
}

/** Creates the runs of one workspace in the states that tests need. */
export class Runs {
  readonly tenant: Tenant;
  readonly #store: RunFixture['store'];

  constructor(store: RunFixture['store'], tenant: Tenant) {
    this.#store = store;
    this.tenant = tenant;
  }

  get workspaceId(): string {
    return this.tenant.workspace.id;
  }

  async create(start: RunStart, changes: Partial<NewExecutionRow> = {}): Promise<ExecutionRow> {
    const { execution } = await this.#store.executions.create(runOf(this.tenant, changes), [created], start);
    return execution;
  }

  /** Creates a held run. */
  async held(
    changes: Partial<NewExecutionRow> = {},
    ttlMs = longMs,
  ): Promise<{ run: ExecutionRow; lease: Lease }> {
    const run = await this.create({ type: 'leased', owner: 'one', ttlMs }, changes);
    return { run, lease: { id: run.id, owner: 'one', epoch: 1 } };
  }

  /** Creates a run that waits for an answer and has no holder. */
  async waiting(changes: Partial<NewInteractionRow> = {}) {
    const { run, lease } = await this.held();
    const question = questionOf(run, changes);
    const { seq } = await this.#store.executions.append(lease, 1, {
      events: [{ type: 'execution.waiting', cpuMs: 0, at }],
      status: 'waiting',
      ask: [question],
    });
    await this.#store.executions.release(lease, { status: 'waiting', knownSeq: seq });
    return { run, lease, question };
  }

  find(id: string): Promise<ExecutionRow | undefined> {
    return this.#store.executions.find(this.workspaceId, id);
  }

  async types(id: string): Promise<string[]> {
    const events = await this.#store.executions.events(id, { afterSeq: 0, limit: 10_000 });
    return events.map(({ type }) => type);
  }

  /** Takes all runnable runs. */
  async takeAll(limit = 100, share: Partial<LeaseShare> = {}): Promise<string[]> {
    const taken = await this.#store.executions.leaseNext('sweeper', longMs, {
      ...everybody,
      limit,
      ...share,
    });
    return taken
      .filter(({ execution }) => execution.workspaceId === this.workspaceId)
      .map(({ execution }) => execution.id);
  }
}

/** No limits but the number of runs. */
export const everybody: LeaseShare = {
  limit: 100,
  agents: 100,
  perOwner: { person: 100, agent: 100 },
  held: {},
};

export async function runsOf(fixture: RunFixture, label: string): Promise<Runs> {
  return new Runs(fixture.store, await fixture.newWorkspace(label));
}

/** Reads the whole feed after a cursor, once it has this many rows. A commit may take a moment to appear. */
export async function feedOf(
  fixture: RunFixture,
  workspaceId: string,
  { count, after, limit = 2 }: { count: number; after?: string; limit?: number },
): Promise<FeedRow[]> {
  for (let attempt = 0; ; attempt++) {
    const rows: FeedRow[] = [];
    for (let cursor = after; ; cursor = rows.at(-1)?.cursor) {
      const page = await fixture.store.executions.feed(workspaceId, {
        ...(cursor && { after: cursor }),
        limit,
      });
      rows.push(...page);
      if (page.length < limit) break;
    }
    if (rows.length >= count || attempt === 500) return rows;
    await fixture.passTime(20);
  }
}
