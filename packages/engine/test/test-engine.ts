import type { Execution, NewExecution, Principal } from '@executor/protocol';
import { createQuickJsSandbox, type QuickJsSandbox } from '@executor/sandboxes';
import { builtFolder } from '../../sandboxes/test/built-folder.ts';
import { openTestPglite, type TestStore } from '../../store/test/test-database.ts';
import { createEngine, type Engine, type EngineOptions } from '../src/engine.ts';
import { NotesSource } from './notes-source.ts';

/** An engine on a real store and a real sandbox, which can be stopped hard and started again. */
export class TestEngine {
  readonly notes: NotesSource;
  readonly #opened: TestStore;
  readonly #sandbox: QuickJsSandbox;
  readonly #options: Partial<EngineOptions>;
  engine: Engine;
  readonly problems: unknown[] = [];

  private constructor(
    parts: { opened: TestStore; sandbox: QuickJsSandbox; notes: NotesSource; engine: Engine },
    options: Partial<EngineOptions>,
  ) {
    this.#opened = parts.opened;
    this.#sandbox = parts.sandbox;
    this.notes = parts.notes;
    this.engine = parts.engine;
    this.#options = options;
  }

  static async start(
    options: Partial<EngineOptions> = {},
    open: () => Promise<TestStore> = openTestPglite,
  ): Promise<TestEngine> {
    const opened = await open();
    const sandbox = await createQuickJsSandbox({ folder: builtFolder });
    const notes = new NotesSource();
    const engine = await start({ opened, sandbox, notes }, options);
    await engine.worker.start();
    return new TestEngine({ opened, sandbox, notes, engine }, options);
  }

  get store() {
    return this.#opened.store;
  }

  get database() {
    return this.#opened.database;
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

  /** Another process on the same database. */
  async another(options: Partial<EngineOptions> = {}): Promise<Engine> {
    return start(
      { opened: this.#opened, sandbox: this.#sandbox, notes: this.notes },
      { ...this.#options, ...options },
    );
  }

  async close(): Promise<void> {
    await this.engine.worker.drain(0);
    this.#sandbox.close();
    await this.#opened.close();
  }
}

async function start(
  { opened, sandbox, notes }: { opened: TestStore; sandbox: QuickJsSandbox; notes: NotesSource },
  options: Partial<EngineOptions>,
): Promise<Engine> {
  return createEngine({
    store: opened.store,
    localToken: 'local-secret',
    accountName: 'Ada',
    version: '0.0.0',
    sandboxes: [sandbox],
    sources: [{ namespace: 'notes', source: notes, settings: {} }],
    baseUrl: () => 'http://executor.test',
    onProblem: (message, details) => console.error(message, details),
    ...options,
  });
}
