import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@executor/client';
import { readLocalToken, resolveFolders } from '@executor/home';
import { buildProduct } from '../scripts/build.ts';
import { startPostgres } from '../scripts/test-postgres.ts';
import { type Daemon, program, withDaemon } from './daemon.ts';
import { measureCore } from './engine-core.ts';
import type { Figure } from './figure.ts';
import { pss } from './process-stats.ts';
import { median, percentile } from './statistics.ts';

/** Measures the cost of runs beyond the sandbox and the database. */
export async function measureEngine(): Promise<Figure[]> {
  await buildProduct();
  const core = await measureCore();
  return [
    ...core,
    ...(await withDaemon((daemon) => measureRequests(daemon, core[0]?.baseline))),
    ...(await withDaemon(measureWaiting)),
    ...(await measureWorkers()),
  ];
}

const run = (client: Client, code = 'return 1') => client.executions.create({ code, waitMs: 60_000 });

async function measureRequests(daemon: Daemon, baseline: Figure['baseline']): Promise<Figure[]> {
  const client = daemon.client();
  const posts: number[] = [];
  // A daemon lives for days, so its first seconds, in which its code is compiled, do not count.
  for (let round = 0; round < 1_500; round++) {
    const startedAt = performance.now();
    await run(client);
    posts.push(performance.now() - startedAt);
  }
  const rate = await throughput(client, 1_500);
  const time = (args: string[]) => {
    const startedAt = performance.now();
    spawnSync(process.execPath, args, { env: daemon.env, stdio: 'ignore' });
    return performance.now() - startedAt;
  };
  const rounds = Array.from({ length: 11 }, () => ({
    bare: time(['-e', '0']),
    call: time([program, 'call', 'return 1']),
  }));
  return [
    {
      name: 'POST /v1/executions of return 1, p50',
      value: median(posts.slice(1_000)),
      unit: 'ms',
      ...(baseline && { baseline }),
      target: 3,
    },
    {
      name: "executor call 'return 1'",
      value: median(rounds.map(({ call }) => call)),
      unit: 'ms',
      baseline: { name: 'node -e 0', value: median(rounds.map(({ bare }) => bare)) },
      target: 6,
    },
    { name: 'return 1 by 50 clients, PGlite', value: rate, unit: 'runs/s' },
  ];
}

async function throughput(client: Client, count: number): Promise<number> {
  const startedAt = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      while (left-- > 0) {
        const { status } = await run(client);
        if (status !== 'completed') throw new Error(`a run is ${status}`);
      }
    }),
  );
  return count / ((performance.now() - startedAt) / 1000);
}

const waitingRuns = 10_000;
/** Memory that was only needed to create the runs is released within this time. */
const settleMs = 45_000;

async function measureWaiting(daemon: Daemon): Promise<Figure[]> {
  daemon.executor('policy', 'add', 'executor.artifacts.put', 'requireApproval');
  const code = `
    for (let i = 0; i < 19; i++) await sleep(1);
    return tools.executor.artifacts.put({ text: "approved" })`;
  let client = daemon.client();
  await Promise.all(Array.from({ length: 20 }, () => run(client, code)));
  const before = pss(daemon.pid());
  let left = waitingRuns;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (left-- > 0) await client.executions.create({ code, waitMs: 0 });
    }),
  );
  await allWait(client);
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const after = pss(daemon.pid());
  const startedAt = performance.now();
  const { url } = JSON.parse(daemon.executor('restart', '--json'));
  client = daemon.client(url);
  await run(client);
  const restart = (performance.now() - startedAt) / 1000;
  const wakes: number[] = [];
  const { items } = await client.interactions.list({ status: 'pending', limit: 200 });
  for (const { id, executionId } of items) {
    const asked = performance.now();
    await client.interactions.resolve({ id, action: 'approve' });
    const { status } = await client.executions.wait({ id: executionId, waitMs: 60_000 });
    if (status === 'completed') wakes.push(performance.now() - asked);
  }
  const warm = wakes.slice(100);
  return [
    {
      name: `${waitingRuns} waiting runs, server memory at rest`,
      value: (after - before) / 1000,
      unit: 'MB more',
      target: 50,
    },
    { name: 'restart with them, to the first result', value: restart, unit: 's', target: 2 },
    {
      name: 'waking one with 20 calls, p50',
      value: median(warm),
      unit: 'ms',
      target: 25,
      note: `answer to result, over HTTP; p95 ${percentile(warm, 95).toFixed(0)} ms, the first hundred after the restart ${median(wakes.slice(0, 100)).toFixed(0)} ms`,
    },
  ];
}

async function allWait(client: Client): Promise<void> {
  for (;;) {
    const { items } = await client.executions.list({ status: 'running', limit: 1 });
    const queued = await client.executions.list({ status: 'queued', limit: 1 });
    if (items.length + queued.items.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Measures a server and its workers as separate processes on Postgres. */
async function measureWorkers(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const postgres = await startPostgres();
  try {
    for (const workers of [1, 2, 4]) {
      const value = await withRoles(postgres.url, workers, (client) => throughput(client, 600));
      figures.push({ name: `return 1 by 50 clients, Postgres, ${workers} worker(s)`, value, unit: 'runs/s' });
    }
  } finally {
    await postgres.remove();
  }
  return figures;
}

async function withRoles(
  databaseUrl: string,
  workers: number,
  measure: (client: Client) => Promise<number>,
): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'executor-bench-'));
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const env = {
    ...process.env,
    EXECUTOR_HOME: home,
    EXECUTOR_PORT: String(port),
    EXECUTOR_DATABASE_URL: databaseUrl,
  };
  const roles = ['server', ...Array.from({ length: workers }, () => 'worker')];
  const processes = roles.map((role) => spawn(process.execPath, [program, role], { env, stdio: 'ignore' }));
  try {
    const url = `http://127.0.0.1:${port}`;
    await healthy(url);
    const client = createClient({ url, token: readLocalToken(resolveFolders({ EXECUTOR_HOME: home })) });
    for (let warm = 0; warm < 20; warm++) await run(client);
    return await measure(client);
  } finally {
    for (const each of processes) each.kill('SIGTERM');
    await Promise.all(processes.map((each) => (each.exitCode === null ? once(each, 'exit') : undefined)));
    rmSync(home, { recursive: true, force: true });
  }
}

async function healthy(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(`${url}/v1/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server did not start');
}
