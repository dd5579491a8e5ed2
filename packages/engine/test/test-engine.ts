import { setTimeout as sleep } from 'node:timers/promises';
import { createDiscovery } from '@executor/discovery';
import type { Execution, Interaction, NewExecution, Principal, Resolution } from '@executor/protocol';
import { createQuickJsSandbox, type QuickJsSandbox } from '@executor/sandboxes';
import { afterAll } from 'vitest';
import { builtFolder } from '../../sandboxes/test/built-folder.ts';
import { borrowTestPglite, type TestStore } from '../../store/test/test-database.ts';
import { createEngine, type Engine, type EngineOptions } from '../src/engine.ts';
import { NotesSource } from './notes-source.ts';
import { ShelfSource } from './shelf-source.ts';

/** An engine on a real store and a real sandbox, which can be stopped hard and started again. */
export class TestEngine {
  readonly notes: NotesSource;
  /** The kind of the sources that tests add. */
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
    open: () => Promise<TestStore> = borrowTestPglite,
  ): Promise<TestEngine> {
    const opened = await open();
    const sandbox = sandboxes.pop() ?? (await createQuickJsSandbox({ folder: builtFolder }));
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

  /** The principal of an agent's key. */
  get agent(): Principal {
    return { ...this.owner, kind: 'agent', credential: 'apiKey', apiKeyId: 'key_agent' };
  }

  get owner(): Principal {
    return { kind: 'person', credential: 'localToken', ...this.engine.installation.owner };
  }

  /** All bytes of an artifact, as its owner reads them. */
  async artifact(id: string) {
    const { pieces, ...artifact } = await this.engine.artifacts.open(this.owner, id);
    const bytes: Uint8Array[] = [];
    for await (const piece of pieces({ offset: 0, length: artifact.length })) bytes.push(piece);
    return { ...artifact, bytes: Buffer.concat(bytes) };
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

  /** The questions of a run, when there are that many. */
  async asked(executionId: string, count = 1): Promise<Interaction[]> {
    for (const giveUpAt = performance.now() + 30_000; ; ) {
      const { items } = await this.engine.interactions.list(this.owner, {
        status: 'pending',
        executionId,
        limit: 200,
      });
      if (items.length >= count || performance.now() > giveUpAt) return items.toSorted(byCall);
      await sleep(25);
    }
  }

  answer(id: string, resolution: Resolution): Promise<Interaction> {
    return this.engine.interactions.resolve(this.owner, id, resolution);
  }

  async removePolicies(): Promise<void> {
    const { items } = await this.engine.policies.list(this.owner, { limit: 100 });
    for (const { id } of items) await this.engine.policies.remove(this.owner, id);
  }

  /** The types of a run's events, in order. */
  async story(id: string): Promise<string[]> {
    const events = await this.store.executions.events(id, { afterSeq: 0, limit: 10_000 });
    return events.map(({ type }) => type);
  }

  /** Changes what the calls of the source send. */
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
    sandboxes.push(this.#sandbox);
    await this.#opened.close();
  }
}

/** Sandboxes and their processes are reused by the next test of the file. */
const sandboxes: QuickJsSandbox[] = [];
afterAll(() => {
  for (const sandbox of sandboxes.splice(0)) sandbox.close();
});

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
    discovery: createDiscovery(),
    sources: [{ namespace: 'notes', source: notes, settings: {} }],
    sourceKinds: [shelf],
    baseUrl: () => 'http://executor.test',
    onProblem: (message, details) => console.error(message, details),
    ...options,
  });
}

/** Several questions may be asked within one millisecond, so their ids do not give the order. */
function byCall({ callId: one = '' }: Interaction, { callId: other = '' }: Interaction): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
