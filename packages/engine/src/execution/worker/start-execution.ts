import { createHash, randomBytes } from 'node:crypto';
import { type Diagnostic, ExecutorError, type NewExecution, type Principal } from '@executor/protocol';
import type { Clock } from '../../clock.ts';
import { newId } from '../../id.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { AwaitedAnswer } from '../../ports/delivery-store.ts';
import type { ExecutionRow, NewExecutionRow, RunStart } from '../../ports/execution-store.ts';
import type { NewEvent } from '../../ports/journal-event.ts';
import type { Compilation, LogLine, Sandbox, SandboxOutcome } from '../../ports/sandbox.ts';
import type { Store } from '../../ports/store.ts';
import { accountOf, accountOfRun } from '../../resource/account.ts';
import type { HeldResource } from '../../resource/held-resource.ts';
import type { StoredQuotas } from '../../resource/stored-quotas.ts';
import { writtenMessage } from '../hints/code-hint.ts';
import { codeError, endingInPlace } from '../run/run-ending.ts';
import type { RunExit } from '../run/run-gate.ts';
import { firstRequest } from '../run/sandbox-request.ts';
import type { Typecheck } from '../typecheck/typecheck.ts';
import { HeadStart } from './head-start.ts';
import type { Worker } from './worker.ts';

interface Dependencies {
  store: Pick<Store, 'executions'>;
  clock: Clock;
  worker: Worker;
  sandbox: Sandbox;
  limits: ExecutionRow['limits'];
  /** Limits how many runs are prepared and given a head start at once: if too many run together, none ends in time. */
  starts: HeldResource;
  typecheck: Typecheck | undefined;
  quotas: Pick<StoredQuotas, 'admit' | 'runLimits'>;
  /** Present if a caller waits for the answer. */
  awaited: AwaitedAnswer | undefined;
}

export interface Started {
  execution: ExecutionRow;
  /** False if a run with the same idempotency key existed. */
  created: boolean;
  /** A hash of the request, to compare with that run. */
  requestHash: string;
  /** How it leaves this process, if it runs here. */
  exit?: Promise<RunExit> | undefined;
  /** Its log, if it has ended already. */
  logs: LogLine[];
  /** The diagnostics of the type checker. */
  diagnostics: Diagnostic[];
}

/** Writes a new run and executes it here if a slot is free. Otherwise a worker is woken. */
export async function startExecution(
  principal: Principal,
  request: NewExecution,
  dependencies: Dependencies,
): Promise<Started> {
  const { clock } = dependencies;
  const prepared = await prepare(principal, request, dependencies);
  const { compilation, diagnostics, row, slot, early, ended } = prepared;
  let continues = false;
  try {
    const whole =
      ended && writtenWhole(row, withAdvice(ended, row.code), { clock, workerId: slot?.lease.owner ?? '' });
    // A run that has ended needs no slot while it is written. Otherwise many of them would make later runs queue.
    if (whole) slot?.free();
    const { events, start } = whole ?? writtenFirst(compilation, row, slot?.lease);
    const written = { row, events: withDiagnostics(events, diagnostics), start };
    const { execution, created } = await create(written, dependencies);
    const isHeldHere = created && start.type === 'leased';
    continues = isHeldHere && early !== undefined;
    return {
      execution,
      created,
      requestHash: row.requestHash,
      exit: isHeldHere ? slot?.use({ execution, epoch: 1 }, early) : undefined,
      logs: whole ? (ended?.logs ?? []) : [],
      diagnostics,
    };
  } finally {
    if (!continues) early?.cancel();
    slot?.free();
  }
}

type Creation = Awaited<ReturnType<Dependencies['store']['executions']['create']>>;

function create(
  { row, events, start }: Written & { row: NewExecutionRow },
  { store, quotas, awaited }: Dependencies,
): Promise<Creation> {
  const account = accountOfRun(row);
  const limits = quotas.runLimits(account);
  // The answer of a run that has ended is sent at once.
  const terms = { limits, ...(start.type !== 'ended' && { awaited }) };
  return quotas.admit<Creation>(account, row.code.length * bytesPerCharacter, () =>
    store.executions.create(row, events, start, terms).catch((error) => {
      if (error instanceof ExecutorError && error.code === 'quotaExceeded') return undefined;
      throw error;
    }),
  );
}

/** About what a character of the code takes in the row: the code, the program, and its source. */
const bytesPerCharacter = 4;

interface Prepared extends Begun {
  compilation: Compilation;
  diagnostics: Diagnostic[];
  row: NewExecutionRow;
}

/** Compiles, checks and begins the run. Keys take turns, because each does so in a few processes that all of them share. */
async function prepare(
  principal: Principal,
  request: NewExecution,
  dependencies: Dependencies,
): Promise<Prepared> {
  const { sandbox, limits, clock, starts } = dependencies;
  const turn = await starts.take(accountOf(principal));
  try {
    const compiled = await sandbox.compile(request.code);
    const { compilation, diagnostics } = await checked(principal, request, compiled, dependencies);
    const row = newRow(principal, request, { compilation, sandbox, limits, at: clock.now() });
    const begun = compilation.type === 'compiled' ? await begin(row, request, dependencies) : {};
    return { compilation, diagnostics, row, ...begun };
  } finally {
    turn.release();
  }
}

interface Begun {
  slot?: ReturnType<Worker['reserve']>;
  early?: HeadStart | undefined;
  ended?: Awaited<ReturnType<HeadStart['ended']>>;
}

/** Reserves a slot if one is free, and gives the run a head start if the caller waits for its end. */
async function begin(
  row: NewExecutionRow,
  { waitMs }: NewExecution,
  { worker, sandbox }: Dependencies,
): Promise<Begun> {
  const slot = worker.reserve(accountOfRun(row));
  if (slot === undefined || waitMs === 0) return { slot };
  try {
    const early = new HeadStart(sandbox, firstRequest(row));
    return { slot, early, ended: await early.ended() };
  } catch (error) {
    slot.free();
    throw error;
  }
}

/** Code whose calls cannot work is rejected like code with a syntax error: nothing of it runs. */
async function checked(
  principal: Principal,
  { typecheck: isWanted = true, clientId }: NewExecution,
  compilation: Compilation,
  { typecheck }: Dependencies,
): Promise<{ compilation: Compilation; diagnostics: Diagnostic[] }> {
  if (!isWanted || typecheck === undefined || compilation.type === 'rejected') {
    return { compilation, diagnostics: [] };
  }
  const { workspaceId, actorId } = principal;
  const outcome = await typecheck.check({ workspaceId, actorId, clientId }, compilation);
  return outcome.type === 'refused'
    ? { compilation: { type: 'rejected', error: outcome.error }, diagnostics: [] }
    : { compilation, diagnostics: outcome.diagnostics };
}

/** Diagnostics are stored with the first event of the run. */
function withDiagnostics(events: NewEvent[], diagnostics: Diagnostic[]): NewEvent[] {
  if (diagnostics.length === 0) return events;
  return events.map((event) => (event.type === 'execution.created' ? { ...event, diagnostics } : event));
}

interface RowParts {
  compilation: Compilation;
  sandbox: Sandbox;
  limits: ExecutionRow['limits'];
  at: Date;
}

function newRow(
  principal: Principal,
  request: NewExecution,
  { compilation, sandbox, limits, at }: RowParts,
): NewExecutionRow {
  const { code, clientId, metadata, idempotencyKey, typecheck = true } = request;
  return {
    id: newId('exe', at),
    workspaceId: principal.workspaceId,
    actorId: principal.actorId,
    ownerId: ownerOf(principal),
    principalKind: principal.kind,
    clientId: clientId ?? null,
    credentialId: principal.apiKeyId ?? principal.sessionId ?? null,
    runtimeId: sandbox.runtimeId,
    code,
    program: compilation.type === 'compiled' ? compilation.program : null,
    build: sandbox.build,
    seed: randomBytes(16).toString('hex'),
    epoch: at.getTime(),
    limits,
    metadata: metadata ?? null,
    idempotencyKey: idempotencyKey ?? null,
    requestHash: createHash('sha256')
      .update(
        JSON.stringify([
          code,
          sandbox.runtimeId,
          request.limits,
          clientId,
          metadata,
          ...(typecheck ? [] : [typecheck]),
        ]),
      )
      .digest('base64url'),
    createdAt: at,
  };
}

type Ended = NonNullable<Begun['ended']>;

function withAdvice({ outcome, logs }: Ended, code: string): Ended {
  if (outcome.type !== 'threw') return { outcome, logs };
  const message = writtenMessage(outcome.error, code);
  return { logs, outcome: { ...outcome, error: { ...outcome.error, message } } };
}

interface Written {
  events: NewEvent[];
  start: RunStart;
}

/** A run that ended before it was written. Undefined if its result does not fit into the row. */
function writtenWhole(
  { createdAt: at, build }: NewExecutionRow,
  { outcome, logs }: { outcome: SandboxOutcome; logs: LogLine[] },
  { clock, workerId }: { clock: Clock; workerId: string },
): Written | undefined {
  const whole = endingInPlace(outcome, clock.now());
  if (whole === undefined) return undefined;
  const { events, ...ending } = whole;
  const logEvents = logs.map(({ index, level, text, at: loggedAt }) => {
    return { type: 'log', index, level, text, loggedAt, at: ending.finishedAt } as const;
  });
  const started = { type: 'execution.started', workerId, epoch: 1, build, at } as const;
  return {
    events: [{ type: 'execution.created', at }, started, ...logEvents, ...events],
    start: { type: 'ended', startedAt: at, ending },
  };
}

function writtenFirst(
  compilation: Compilation,
  { createdAt: at, code }: NewExecutionRow,
  lease: { owner: string; ttlMs: number } | undefined,
): Written {
  const created = { type: 'execution.created', at } as const;
  if (compilation.type === 'compiled') {
    return { events: [created], start: lease ? { type: 'leased', ...lease } : { type: 'queued' } };
  }
  const message = writtenMessage(compilation.error, code);
  const error = codeError({ ...compilation.error, message });
  const nothing = { result: null, omitted: null, usage: null };
  return {
    events: [created, { type: 'execution.failed', code: error.code, message, at }],
    start: {
      type: 'ended',
      startedAt: null,
      ending: { ...nothing, status: 'failed', error, finishedAt: at },
    },
  };
}
