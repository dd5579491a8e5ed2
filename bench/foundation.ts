import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildProduct } from '../scripts/build.ts';
import type { Figure } from './figure.ts';
import { cpuSeconds, descendants, pss } from './process-stats.ts';
import { median, percentile } from './statistics.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'apps/cli/bin/executor.js');

/** Measures the start, idle costs, commands, requests and size of the product. */
export async function measureFoundation(): Promise<Figure[]> {
  await buildProduct();
  const home = mkdtempSync(join(tmpdir(), 'executor-bench-'));
  const env = { ...process.env, EXECUTOR_HOME: home, EXECUTOR_PORT: '0' };
  const executor = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' });
  try {
    const starts = [await startToHealthy(env)];
    executor('down');
    const again: number[] = [];
    for (let round = 0; round < 5; round++) {
      again.push(await startToHealthy(env));
      executor('down');
    }
    starts.push(median(again));
    const { pid, url } = JSON.parse(executor('up', '--json').stdout);
    // V8 collects garbage for some twenty seconds after a start.
    await sleep(30_000);
    return [
      { name: 'first start to healthy', value: starts[0] ?? 0, unit: 's', target: 2.5 },
      { name: 'start to healthy', value: starts[1] ?? 0, unit: 's', target: 1.0, note: 'median of 5' },
      ...(await idleFigures(pid)),
      ...commandFigures(env),
      await healthFigure(url),
      ...sizeFigures(home),
    ];
  } finally {
    executor('down', '--force');
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * The time from the start of the process to the first healthy response. The daemon is started in the same way as by
 * `up`.
 */
async function startToHealthy(env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now();
  const daemon = spawn(
    process.execPath,
    ['--max-semi-space-size=4', join(root, 'apps/cli/dist/main.js'), 'daemon'],
    { env, stdio: 'ignore', detached: true },
  );
  daemon.unref();
  const record = join(env.EXECUTOR_HOME ?? '', 'run', 'daemon.json');
  for (;;) {
    try {
      const { pid, url } = JSON.parse(readFileSync(record, 'utf8'));
      if (pid === daemon.pid && (await fetch(`${url}/v1/health`)).ok)
        return (performance.now() - startedAt) / 1000;
    } catch {
      // The daemon has not written its record yet.
    }
    await sleep(5);
  }
}

async function idleFigures(pid: number): Promise<Figure[]> {
  if (process.platform !== 'linux') return [];
  const processes = [pid, ...descendants(pid)];
  const memory = processes.reduce((sum, each) => sum + pss(each), 0);
  const bare = spawnSync(
    process.execPath,
    ['-p', 'fs.readFileSync("/proc/self/smaps_rollup","utf8").match(/Pss:\\s+(\\d+)/)[1]'],
    { encoding: 'utf8' },
  );
  const seconds = 20;
  const before = cpuSeconds(processes);
  await sleep(seconds * 1000);
  const share = ((cpuSeconds(processes) - before) / seconds) * 100;
  return [
    {
      name: `idle memory of ${processes.length} process(es), PSS`,
      value: memory / 1000,
      unit: 'MB',
      target: 230,
      note: `bare node: ${Math.round(Number(bare.stdout) / 1000)} MB`,
    },
    { name: 'idle CPU', value: share, unit: '%', target: 0.5, note: `over ${seconds} s` },
  ];
}

/** Alternates with the bare figure, so that both have the same noise. */
function commandFigures(env: NodeJS.ProcessEnv): Figure[] {
  const time = (args: string[]) => {
    const startedAt = performance.now();
    spawnSync(process.execPath, args, { env, stdio: 'ignore' });
    return performance.now() - startedAt;
  };
  const rounds = Array.from({ length: 15 }, () => ({
    bare: time(['-e', '0']),
    help: time([program, '--help']),
    status: time([program, 'status']),
  }));
  const bare = { name: 'node -e 0', value: median(rounds.map((round) => round.bare)) };
  return [
    {
      name: 'executor --help',
      value: median(rounds.map((round) => round.help)),
      unit: 'ms',
      baseline: bare,
      target: 3,
    },
    {
      name: 'executor status',
      value: median(rounds.map((round) => round.status)),
      unit: 'ms',
      baseline: bare,
      target: 5,
    },
    statusCpuFigure(env),
  ];
}

const reportCpu = new URL('./report-cpu.js', import.meta.url).href;

/** The CPU time of `executor status` while the daemon runs. */
function statusCpuFigure(env: NodeJS.ProcessEnv): Figure {
  const cpuMs = (args: string[]) => {
    const { stderr } = spawnSync(process.execPath, ['--import', reportCpu, ...args], {
      env,
      encoding: 'utf8',
    });
    return Number(/cpu ([\d.]+)$/.exec(stderr)?.[1]);
  };
  const rounds = Array.from({ length: 15 }, () => ({
    bare: cpuMs(['-e', '0']),
    status: cpuMs([program, 'status']),
  }));
  return {
    name: 'executor status, CPU time',
    value: median(rounds.map(({ status }) => status)),
    unit: 'ms',
    baseline: { name: 'node -e 0', value: median(rounds.map(({ bare }) => bare)) },
    target: 2.5,
  };
}

/** Sends sequential requests, alternating with a bare server that is also a process of its own. */
async function healthFigure(url: string): Promise<Figure> {
  const bare = spawn(process.execPath, [fileURLToPath(new URL('./bare-server.js', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(bare.stdout, 'data');
  const bareUrl = `http://127.0.0.1:${String(port).trim()}/v1/health`;
  const time = async (target: string) => {
    const startedAt = performance.now();
    await (await fetch(target)).text();
    return performance.now() - startedAt;
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < 3_000; round++) {
    theirs.push(await time(bareUrl));
    ours.push(await time(`${url}/v1/health`));
  }
  bare.kill();
  return {
    name: 'GET /v1/health p50',
    value: median(ours.slice(500)),
    unit: 'ms',
    baseline: { name: 'bare node:http', value: median(theirs.slice(500)) },
    target: 2,
    note: `p95 ${percentile(ours.slice(500), 95).toFixed(2)} ms`,
  };
}

function sizeFigures(home: string): Figure[] {
  const megabytes = (path: string) => folderSize(path) / 1e6;
  const own = megabytes(join(root, 'apps/cli/dist'));
  const pglite = megabytes(join(root, 'node_modules/@electric-sql/pglite'));
  return [
    {
      name: 'installed production size',
      value: own + pglite,
      unit: 'MB',
      note: `ours ${own.toFixed(1)}, PGlite ${pglite.toFixed(1)}`,
    },
    { name: 'data folder after first start', value: megabytes(home), unit: 'MB' },
  ];
}

function folderSize(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
