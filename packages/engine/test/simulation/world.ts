import { inspect } from 'node:util';
import type { NewExecutionRow } from '../../src/ports/execution-store.ts';
import type { StoreChange } from '../../src/ports/store.ts';
import { accountOfRun } from '../../src/resource/account.ts';
import { Connection, type DatabaseHealth } from './connection.ts';
import { Invariants } from './invariants.ts';
import { Ledger } from './ledger.ts';
import { MachineWatch } from './machine-watch.ts';
import { ModelSandbox, type SandboxPlace } from './model-sandbox.ts';
import { type ModelAggregates, modelAggregates, modelStore, workspaceId } from './model-store.ts';
import { type Commit, ModelTables } from './model-tables.ts';
import { People } from './people.ts';
import { Random } from './random.ts';
import { randomScript } from './script.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { toolOf } from './tools.ts';
import { type Owner, startTime, VirtualClock, VirtualTime } from './virtual-time.ts';

/** Replacements for parts, with which tests plant faults. */
export interface Parts {
  aggregates?(tables: ModelTables, random: Random): ModelAggregates;
  sandbox?(place: SandboxPlace): ModelSandbox;
}

interface Subscription {
  owner: Owner;
  tell(change: StoreChange): void;
}

interface Receiver {
  owner: Owner;
  wake(ids: string[]): Promise<void>;
}

/** Processes, a database, tools and reviewers, and the faults between them. */
export class World {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly tables: ModelTables;
  readonly invariants: Invariants;
  readonly ledger: Ledger;
  readonly kind: 'pglite' | 'postgres';
  readonly health: DatabaseHealth = { awayUntil: 0, lossRate: 0 };
  readonly problems: string[] = [];
  /** The clock of the database. An embedded database uses that of its process. */
  readonly databaseClock: VirtualClock;
  processes: SimulatedProcess[] = [];
  /** Whether no more faults occur, except for lost and duplicated notices, which are always allowed. */
  quiet = false;
  /** Whether all runs have ended, and the processes have to end too. */
  closing = false;
  /** The step of the last write. */
  lastCommit = 0;
  readonly #aggregates: ModelAggregates;
  readonly #machines = new MachineWatch();
  readonly #people: People;
  readonly #parts: Parts;
  readonly #versions = new Map<string, number>();
  readonly #noticeLossRate: number;
  readonly #patientPeople: boolean;
  readonly #answerWithinMs: number | undefined;
  #subscriptions: Subscription[] = [];
  #receivers: Receiver[] = [];
  #born = 0;

  constructor(seed: number, parts: Parts, options: { traced: boolean }) {
    this.random = new Random(seed);
    this.#parts = parts;
    this.time = new VirtualTime(startTime, this.random.fork(), options);
    this.kind = this.random.chance(0.3) ? 'pglite' : 'postgres';
    this.#noticeLossRate = this.random.pick([0, 0, 0.05, 0.3, 1]);
    this.#patientPeople = this.random.chance(0.5);
    this.#answerWithinMs = this.random.pick([undefined, undefined, undefined, 60_000]);
    this.health.lossRate = this.random.pick([0, 0, 0.01, 0.05]);
    this.databaseClock = new VirtualClock(this.time);
    this.tables = new ModelTables({
      now: () => this.databaseClock.now().getTime(),
      changed: (change) => this.#tell(change),
      wake: (id, at) => this.#wake(id, at, 0),
      committed: (commit) => this.#committed(commit),
    });
    this.#aggregates = (parts.aggregates ?? modelAggregates)(this.tables, this.random.fork());
    this.invariants = new Invariants(this.tables, this.#machines);
    const { time, random, invariants } = this;
    const { interactions } = this.#aggregates;
    this.#people = new People({ time, random, interactions, invariants, delayMs: () => this.#thinkingMs() });
    this.ledger = new Ledger({
      time,
      random,
      invariants,
      latencyMs: () => this.latencyMs(),
      silenceRate: () => (this.quiet ? 0 : 0.02),
    });
  }

  get executions(): ModelAggregates['executions'] {
    return this.#aggregates.executions;
  }

  get alive(): SimulatedProcess[] {
    return this.processes.filter(({ owner }) => owner.state !== 'dead');
  }

  latencyMs(): number {
    const kind = this.random.next();
    if (kind < 0.5) return 0;
    if (kind < 0.85 || this.quiet) return this.random.between(1, 5);
    if (kind < 0.99) return this.random.between(5, 200);
    return this.random.between(200, 20_000);
  }

  startProcess(): void {
    // The lock of an embedded database admits one process at a time.
    if (this.closing || (this.kind === 'pglite' && this.alive.length > 0)) return;
    const owner: Owner = { name: `p${++this.#born}`, state: 'running' };
    const place: SandboxPlace = {
      later: (label, run) => void this.time.after(this.#sandboxMs(), label, run, owner),
      started: (runKey, machine) => this.#machines.started(owner.name, runKey, machine),
    };
    const { send } = new Connection({
      time: this.time,
      random: this.random,
      health: this.health,
      owner,
      embedded: this.kind === 'pglite',
      latencyMs: () => this.latencyMs(),
    });
    const process = new SimulatedProcess(owner, {
      time: this.time,
      skewMs: this.kind === 'pglite' ? this.databaseClock.skewMs : this.random.pick([0, 0, -2_000, 3_000]),
      concurrency: this.random.pick([1, 2, 10]),
      answerWithinMs: this.#answerWithinMs,
      store: modelStore(this.#aggregates, {
        kind: this.kind,
        send,
        subscribe: (tell) => this.#subscribe({ owner, tell }),
        receiveWakeUps: (wake) => this.#receive({ owner, wake }),
      }),
      sandbox: this.#parts.sandbox?.(place) ?? new ModelSandbox(place),
      source: this.ledger.source(owner),
      findTool: (path) => toolOf(path, this.#versions.get(path) ?? 1),
      pause: (label) => new Promise((resolve) => this.time.after(this.#sandboxMs(), label, resolve, owner)),
      onProblem: (message, { error }) => this.#problem(`${owner.name}: ${message}`, error),
    });
    this.processes.push(process);
    // A process that cannot start ends, and another one is started.
    process.worker.start().catch(() => this.kill(process, 1_000));
  }

  /** Like `kill -9`. Another process is started after a while. */
  kill(process: SimulatedProcess, restartAfterMs: number): void {
    if (process.owner.state === 'dead') return;
    this.time.note(`${process.owner.name} is killed`);
    this.bury(process);
    if (process.draining) return;
    this.time.after(restartAfterMs, 'a process starts', () => this.startProcess());
  }

  /** Sets the clock of its machine back. */
  setBack({ owner, clock }: SimulatedProcess, ms: number): void {
    this.time.note(`the clock of ${owner.name} is set back by ${ms} ms`);
    clock.setBack(ms);
    if (this.kind === 'pglite') this.databaseClock.setBack(ms);
  }

  stop({ owner }: SimulatedProcess, ms: number): void {
    if (owner.state !== 'running') return;
    this.time.note(`${owner.name} is stopped for ${ms} ms`);
    owner.state = 'stopped';
    this.time.after(ms, `${owner.name} goes on`, () => {
      if (owner.state === 'stopped') owner.state = 'running';
    });
  }

  /** Like SIGTERM. */
  async drain(process: SimulatedProcess): Promise<void> {
    if (process.draining || process.owner.state === 'dead') return;
    process.draining = true;
    this.time.note(`${process.owner.name} drains`);
    await process.worker.drain();
    this.time.note(`${process.owner.name} has drained`);
    this.#checkGone(process, 2);
  }

  changeTool(path: string): void {
    this.time.note(`${path} changes`);
    this.#versions.set(path, (this.#versions.get(path) ?? 1) + 1);
  }

  /** Submits a script, and retries until it is accepted. */
  submit(number: number): void {
    const code = JSON.stringify(randomScript(this.random.fork()));
    const seed = String(this.random.between(0, 1_000_000));
    let created = false;
    const attempt = (count: number) => {
      if (created || this.closing) return;
      const running = this.alive.filter(({ owner, draining }) => owner.state === 'running' && !draining);
      if (running.length > 0) {
        const process = this.random.pick(running);
        const row = newRow(`exe_${number}_${count}`, `key ${number}`, {
          code,
          seed,
          at: process.clock.now(),
        });
        this.#create(process, row).then(
          () => {
            created = true;
          },
          () => {},
        );
      }
      this.time.after(10_000, 'a client asks again', () => attempt(count + 1));
    };
    this.time.after(this.random.between(0, 3_000), 'a client asks', () => attempt(0));
  }

  cancel(id: string): void {
    this.time.note(`${id} is to be cancelled`);
    const at = new Date(this.time.now);
    const requested = { type: 'execution.cancelRequested', actorId: 'person', at } as const;
    const cancelled = { type: 'execution.cancelled', at } as const;
    this.executions.cancel(
      workspaceId,
      id,
      { requested, cancelled },
      {
        id: 'aud',
        workspaceId,
        at,
        action: 'execution.cancelled',
        actorId: 'person',
        credential: 'localToken',
      },
    );
  }

  /** Does the same as `Executions.create`. */
  async #create({ worker, store, owner }: SimulatedProcess, row: NewExecutionRow): Promise<void> {
    const place = worker.reserve(accountOfRun(row));
    try {
      const start = place ? ({ type: 'leased', ...place.lease } as const) : ({ type: 'queued' } as const);
      const events = [{ type: 'execution.created', at: row.createdAt } as const];
      const { execution, created } = await store.executions.create(row, events, start);
      this.time.note(`${owner.name}: has created ${execution.id} (${created})`);
      if (created) void place?.use({ execution, epoch: 1 });
    } finally {
      place?.free();
    }
  }

  #committed(commit: Commit): void {
    if (this.time.trace) this.time.note(`commit: ${describeCommit(commit)}`);
    this.lastCommit = this.time.steps;
    this.invariants.committed(commit);
    if (commit.type !== 'written') return;
    for (const asked of this.tables.interactions.values()) {
      if (asked.executionId !== commit.run.row.id || asked.status !== 'pending') continue;
      if (
        commit.events.some(
          (event) => event.type === 'interaction.requested' && event.interactionId === asked.id,
        )
      )
        this.#people.notice(asked);
    }
  }

  /** Removes the process, except for responses that it still waits for. */
  #checkGone(process: SimulatedProcess, looks: number): void {
    const { owner } = process;
    this.time.after(5_000, `${owner.name} must be gone`, () => {
      if (owner.state !== 'running') return;
      const left = this.time.pending.filter((label) => label.startsWith(`${owner.name}: timer`));
      if (left.length === 0 || this.health.awayUntil > this.time.now) this.bury(process);
      else if (looks > 1) this.#checkGone(process, looks - 1);
      else this.invariants.fail(`${owner.name} has drained and left ${left.join(', ')}`);
    });
  }

  bury({ owner }: SimulatedProcess): void {
    owner.state = 'dead';
    this.time.forget(owner);
    this.#subscriptions = this.#subscriptions.filter((one) => one.owner !== owner);
    this.#receivers = this.#receivers.filter((one) => one.owner !== owner);
  }

  #tell(change: StoreChange): void {
    // Workers handle no other notices.
    if (change.type !== 'execution' || (!change.forHolder && change.status !== 'queued')) return;
    for (const { owner, tell } of this.#subscriptions) {
      const times = this.random.chance(this.#noticeLossRate) ? 0 : this.random.chance(0.1) ? 2 : 1;
      for (let i = 0; i < times; i++)
        this.time.after(this.latencyMs(), 'is notified of a change', () => tell(change), owner);
    }
  }

  #wake(id: string, at: number, attempt: number): void {
    if (this.random.chance(this.#noticeLossRate) || attempt > 3) return;
    const deliver = () => {
      if (this.#receivers.length === 0) return;
      const { owner, wake } = this.random.pick(this.#receivers);
      const hand = () => wake([id]).catch(() => this.#wake(id, this.time.now + 1_000, attempt + 1));
      this.time.after(this.latencyMs(), `wake ${id}`, () => void hand(), owner);
    };
    const due = at - this.databaseClock.skewMs;
    this.time.schedule(due + this.latencyMs(), 'a wake-up is due', deliver);
    if (this.random.chance(0.1))
      this.time.schedule(due + this.latencyMs(), 'a wake-up is due again', deliver);
  }

  #subscribe(subscription: Subscription): () => void {
    this.#subscriptions.push(subscription);
    return () => {
      this.#subscriptions = this.#subscriptions.filter((one) => one !== subscription);
    };
  }

  async #receive(receiver: Receiver): Promise<{ stop(): Promise<void> }> {
    this.#receivers.push(receiver);
    return {
      stop: async () => {
        this.#receivers = this.#receivers.filter((one) => one !== receiver);
      },
    };
  }

  #problem(message: string, error: unknown): void {
    const text = `${message}: ${inspect(error)}`;
    this.time.note(`problem: ${text}`);
    this.problems.push(text);
  }

  #sandboxMs(): number {
    return this.random.chance(0.7) ? 0 : this.random.between(0, 3);
  }

  #thinkingMs(): number {
    const kind = this.random.next();
    if (kind < 0.3) return 0;
    if (kind < 0.7) return this.random.between(1, 2_000);
    if (kind < 0.95 || this.#patientPeople) return this.random.between(1_000, 120_000);
    return this.random.between(3_600_000, 48 * 3_600_000);
  }
}

function describeCommit(commit: Commit): string {
  const { row } = commit.run;
  const events =
    commit.type === 'written'
      ? commit.events.map((event) => `${event.type}${'index' in event ? ` ${event.index}` : ''}`).join(', ')
      : '';
  const lease = 'lease' in commit ? ` by ${commit.lease.owner} ${commit.lease.epoch}` : '';
  const wakeAt = row.wakeAt ? ` until ${row.wakeAt.getTime() - startTime}` : '';
  return `${row.id} ${commit.type}${lease} [${events}] ${row.status}${wakeAt} seq ${row.lastSeq} holder ${commit.run.leaseOwner}`;
}

function newRow(
  id: string,
  idempotencyKey: string,
  { code, seed, at }: { code: string; seed: string; at: Date },
): NewExecutionRow {
  return {
    id,
    workspaceId,
    actorId: 'person',
    ownerId: 'person',
    principalKind: 'person',
    clientId: null,
    credentialId: null,
    runtimeId: 'model',
    code,
    program: { source: id, code, head: 0 },
    build: 'model-1',
    seed,
    epoch: at.getTime(),
    limits: { cpuMs: 1_000, memoryMb: 64, calls: 1_000, resultBytes: 100_000, logBytes: 100_000 },
    metadata: null,
    idempotencyKey,
    requestHash: code,
    createdAt: at,
  };
}
