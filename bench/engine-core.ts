import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDiscovery } from '@executor/discovery';
import { createEngine, type Engine, packTools, type Source } from '@executor/engine';
import { createQuickJsSandbox, type QuickJsSandbox } from '@executor/sandboxes';
import { buildSandbox } from '../packages/sandboxes/build.ts';
import { buildStoreAssets, storeAssets } from '../packages/store/build.ts';
import { createStore, openDatabase } from '../packages/store/src/open-store.ts';
import type { Figure } from './figure.ts';
import { median } from './statistics.ts';

const sandboxFolder = fileURLToPath(new URL('../packages/sandboxes/dist/quickjs', import.meta.url));
const storeFolder = fileURLToPath(new URL('../packages/store/dist', import.meta.url));

/** Measures the engine in this process, alternating with the bare sandbox and the bare database. */
export async function measureCore(): Promise<Figure[]> {
  await buildSandbox(sandboxFolder);
  await buildStoreAssets(storeFolder);
  const folder = mkdtempSync(join(tmpdir(), 'executor-bench-'));
  const database = await openDatabase({ folder, assets: storeAssets(storeFolder), onProblem: () => {} });
  const store = createStore(database);
  const sandbox = await createQuickJsSandbox({ folder: sandboxFolder });
  const engine = await createEngine({
    store,
    localToken: 'bench',
    accountName: 'Bench',
    version: '0.0.0',
    sandboxes: [sandbox],
    discovery: createDiscovery(),
    sources: [{ namespace: 'bench', source: trivialSource, settings: {} }],
    baseUrl: () => 'http://executor.test',
  });
  await engine.worker.start();
  await database.run((sql) => sql.execute('create table bench (id serial primary key, value text)'));
  const insert = () => database.run((sql) => sql.execute(`insert into bench (value) values ('a row')`));
  try {
    return [await measureReturn(engine, sandbox, insert), ...(await measureCalls(engine, sandbox))];
  } finally {
    await engine.worker.drain(0);
    sandbox.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const trivialSource: Source = {
  kind: 'bench',
  detect: async () => undefined,
  load: async () => ({
    tools: packTools([
      {
        path: 'bench.read',
        description: 'Answers at once',
        inputSchema: { type: 'object', properties: { i: { type: 'integer' } } },
        effect: 'read',
        repeatable: true,
        version: '1',
        origin: { name: 'read' },
      },
    ]),
    warnings: [],
  }),
  preview: ({ input }) => ({ input }),
  invoke: async ({ input }) => ({ type: 'value', value: input }),
};

async function measureReturn(
  engine: Engine,
  sandbox: QuickJsSandbox,
  insert: () => Promise<unknown>,
): Promise<Figure> {
  const times: { ours: number; sandbox: number; insert: number }[] = [];
  for (let round = 0; round < 1_000; round++) {
    times.push({
      ours: await time(() => run(engine, 'return 1')),
      sandbox: await time(() => runBare(sandbox, 'return 1')),
      insert: await time(insert),
    });
  }
  const settled = times.slice(500);
  return {
    name: 'creating and running return 1 in process, p50',
    value: median(settled.map(({ ours }) => ours)),
    unit: 'ms',
    baseline: {
      name: 'sandbox + one synced insert',
      value: median(settled.map((each) => each.sandbox)) + median(settled.map((each) => each.insert)),
    },
  };
}

async function measureCalls(engine: Engine, sandbox: QuickJsSandbox): Promise<Figure[]> {
  const sequential = 'for (let i = 0; i < 200; i++) await tools.bench.read({ i }); return 1';
  const parallel =
    'await Promise.all(Array.from({ length: 1000 }, (_, i) => tools.bench.read({ i }))); return 1';
  const times: { ours: number; bare: number; parallel: number }[] = [];
  for (let round = 0; round < 15; round++) {
    times.push({
      ours: await time(() => run(engine, sequential)),
      bare: await time(() => runBare(sandbox, sequential)),
      parallel: await time(() => run(engine, parallel)),
    });
  }
  const ours = median(times.map((each) => each.ours));
  const bare = median(times.map((each) => each.bare));
  return [
    {
      name: 'a trivial read call, over the sandbox',
      value: (ours - bare) / 200,
      unit: 'ms',
      target: 0.5,
      note: `200 in turn: ${ours.toFixed(0)} ms, bare sandbox ${bare.toFixed(0)} ms`,
    },
    {
      name: '1,000 read calls at once',
      value: median(times.map((each) => each.parallel)) / 1000,
      unit: 's',
      target: 1,
    },
  ];
}

async function run(engine: Engine, code: string): Promise<void> {
  const principal = { kind: 'person', credential: 'localToken', ...engine.installation.owner } as const;
  const { status, error } = await engine.executions.create(principal, { code, waitMs: 60_000 });
  if (status !== 'completed') throw new Error(`a run is ${status}: ${error?.message}`);
}

async function runBare(sandbox: QuickJsSandbox, code: string): Promise<void> {
  const compilation = await sandbox.compile(code);
  if (compilation.type === 'rejected') throw new Error(compilation.error.message);
  await sandbox.run(
    { program: compilation.program, seed: 'bench', epoch: 0 },
    {
      onCall: ({ index, input }, complete) =>
        complete({ index, at: 0, result: { type: 'value', json: input } }),
    },
  );
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
