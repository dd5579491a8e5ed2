import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution, Interaction, NewExecution, Principal, Resolution } from '@executor/protocol';
import { createQuickJsSandbox, type QuickJsSandbox } from '@executor/sandboxes';
import { afterAll } from 'vitest';
import { builtFolder } from '../../sandboxes/test/built-folder.ts';
import { openTestPglite, type TestStore } from '../../store/test/test-database.ts';
import { createEngine, type Engine, type EngineOptions } from '../src/engine.ts';
import { NotesSource } from './notes-source.ts';
import { ShelfSource } from './shelf-source.ts';

/** An engine on a real store and a real sandbox, which can be stopped hard and started again. */
export class TestEngine {
  readonly notes: NotesSource;
  /** The kind that sources can be added of. */
  readonly shelf: ShelfSource;
  readonly #opened: TestStore;
  readonly #sandbox: QuickJsSandbox;
  readonly #options: Partial<EngineOptions>;
  engine: Engine;

  private constructor(parts: Parts & { engine: Engine }, options: Partial<EngineOptions>) {
    this.#opened = parts.opened;
    this.#sandbox = parts.sandbox;
    this.notes = parts.notes;
    this.shelf = parts.shelf;
    this.engine = parts.engine;
    this.#options = options;
  }

  static async start(
    options: Partial<EngineOptions> = {},
    open?: () => Promise<TestStore>,
  ): Promise<TestEngine> {
    const { opened, sandbox } = open
      ? { opened: await open(), sandbox: await newSandbox() }
      : (spare.pop() ?? (await newGround()));
    const notes = new NotesSource();
    const shelf = new ShelfSource();
    const engine = await start({ opened, sandbox, notes, shelf }, options);
    await engine.worker.start();
    return new TestEngine({ opened, sandbox, notes, shelf, engine }, options);
  }

  get store() {
    return this.#opened.store;
  }

  get database() {
    return this.#opened.database;
  }

  /** As the key of an agent would make requests. */
  get agent(): Principal {
    return { ...this.owner, kind: 'agent', credential: 'apiKey', apiKeyId: 'key_agent' };
  }

  get owner(): Principal {
    return { kind: 'person', credential: 'localToken', ...this.engine.installation.owner };
  }

  run(code: string, request: Partial<NewExecution> = {}): Promise<Execution> {
    return this.engine.executions.create(this.owner, { code, waitMs: 20_000, ...request });
  }

  get(id: string): Promise<Execution> {
    return this.engine.executions.get(this.owner, id);
  }

  wait(id: string, waitMs = 20_000): Promise<Execution> {
    return this.engine.executions.wait(this.owner, id, { waitMs });
  }

  /** What a run asks, once it asks that many things. */
  async asked(executionId: string, count = 1): Promise<Interaction[]> {
    for (let tries = 0; ; tries++) {
      const { items } = await this.engine.interactions.list(this.owner, {
        status: 'pending',
        executionId,
        limit: 200,
      });
      if (items.length >= count || tries > 200) return items.toSorted(byCall);
      await sleep(25);
    }
  }

  answer(id: string, resolution: Resolution): Promise<Interaction> {
    return this.engine.interactions.resolve(this.owner, id, resolution);
  }

  /** The types of a run's events, in order. */
  async story(id: string): Promise<string[]> {
    const events = await this.store.executions.events(id, { afterSeq: 0, limit: 10_000 });
    return events.map(({ type }) => type);
  }

  /** The source changes what its calls send. */
  async refresh(version: string): Promise<void> {
    this.notes.version = version;
    const connected = { namespace: 'notes', source: this.notes, settings: {} };
    await this.engine.catalog.connect(connected, new AbortController().signal);
  }

  /** Another process on the same database, with the tools of this one. */
  async another(options: Partial<EngineOptions> = {}): Promise<Engine> {
    return start(
      { opened: this.#opened, sandbox: this.#sandbox, notes: this.notes, shelf: this.shelf },
      { ...this.#options, ...options },
    );
  }

  async close(): Promise<void> {
    await this.engine.worker.drain(0);
    const ground = { opened: this.#opened, sandbox: this.#sandbox };
    if (!grounds.has(this.#opened)) return closeGround(ground);
    await this.#opened.empty();
    spare.push(ground);
  }
}

/** What an engine stands on. The tests of a file hand it on, emptied: opening it takes longer than most of them. */
type Ground = Pick<Parts, 'opened' | 'sandbox'>;
const spare: Ground[] = [];
const grounds = new Set<TestStore>();
afterAll(() => Promise.all(spare.splice(0).map(closeGround)));

async function newGround(): Promise<Ground> {
  const opened = await openTestPglite();
  grounds.add(opened);
  return { opened, sandbox: await newSandbox() };
}

function newSandbox(): Promise<QuickJsSandbox> {
  return createQuickJsSandbox({ folder: builtFolder });
}

async function closeGround({ opened, sandbox }: Ground): Promise<void> {
  sandbox.close();
  await opened.close();
}

interface Parts {
  opened: TestStore;
  sandbox: QuickJsSandbox;
  notes: NotesSource;
  shelf: ShelfSource;
}

async function start(
  { opened, sandbox, notes, shelf }: Parts,
  options: Partial<EngineOptions>,
): Promise<Engine> {
  return createEngine({
    store: opened.store,
    localToken: 'local-secret',
    accountName: 'Ada',
    version: '0.0.0',
    sandboxes: [sandbox],
    sources: [{ namespace: 'notes', source: notes, settings: {} }],
    sourceKinds: [shelf],
    baseUrl: () => 'http://executor.test',
    onProblem: (message, details) => console.error(message, details),
    ...options,
  });
}

/** Several may be asked within one millisecond, which their ids do not tell apart. */
function byCall({ callId: one = '' }: Interaction, { callId: other = '' }: Interaction): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
