import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Daemon, withDaemon } from './daemon.ts';
import type { Figure } from './figure.ts';
import { descendants, pss } from './process-stats.ts';

/** The delays of the event loop of a process that was started with loop-delay.js. */
interface LoopDelay {
  p99: number;
  p999: number;
  max: number;
}

const preload = fileURLToPath(new URL('loop-delay.js', import.meta.url));
/** Memory that was only needed to load the document is released within this time. */
const settleMs = 45_000;

/** Measures a large document in the product, from paste to callable. */
export async function measurePaste(paste: Paste): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'executor-bench-'));
  const delayFile = join(folder, 'delay');
  const environment = {
    NODE_OPTIONS: `--import ${preload}`,
    EXECUTOR_BENCH_LOOP_DELAY: delayFile,
  };
  try {
    return await withDaemon((daemon) => pasteInto(daemon, paste, delayFile), environment);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Paste {
  name: string;
  /** OpenAPI by default. */
  kind?: 'openapi' | 'graphql';
  document: string;
  targets: { seconds?: number; delayMs?: number; serverMb?: number; childMb?: number };
}

async function pasteInto(daemon: Daemon, paste: Paste, delayFile: string): Promise<Figure[]> {
  const { kind = 'openapi', document, targets } = paste;
  const client = daemon.client();
  const pid = daemon.pid();
  await client.executions.create({ code: 'return 1', waitMs: 60_000 });
  await sleep(settleMs);
  const before = pss(pid);
  await loopDelay(pid, delayFile);
  const watch = watchChildren(pid);
  const startedAt = performance.now();
  const source = await client.sources.create({ kind, document, namespace: 'pasted' }, { timeoutMs: 120_000 });
  const [first] = (await client.sources.tools({ id: 'pasted', limit: 1 })).items;
  await client.tools.get({ path: first?.path ?? '' });
  const seconds = (performance.now() - startedAt) / 1000;
  const childMb = watch.stop();
  const { p999, max } = await loopDelay(pid, delayFile);
  await sleep(settleMs);
  const what = `${paste.name} (${(Buffer.byteLength(document) / 1e6).toFixed(0)} MB)`;
  return [
    {
      name: `${what}, paste to callable`,
      value: seconds,
      unit: 's',
      note: `${source.toolCount} tools`,
      ...limit(targets.seconds),
    },
    {
      name: `${what}, event loop delay p99.9`,
      value: p999,
      unit: 'ms',
      note: `max ${max.toFixed(0)} ms`,
      ...limit(targets.delayMs),
    },
    {
      name: `${what}, server memory at rest`,
      value: (pss(pid) - before) / 1000,
      unit: 'MB more',
      ...limit(targets.serverMb),
    },
    { name: `${what}, memory of the child`, value: childMb, unit: 'MB', ...limit(targets.childMb) },
  ];
}

function limit(target: number | undefined): { target?: number } {
  return target === undefined ? {} : { target };
}

async function loopDelay(pid: number, file: string): Promise<LoopDelay> {
  process.kill(pid, 'SIGUSR2');
  await sleep(500);
  return JSON.parse(readFileSync(`${file}.${pid}`, 'utf8'));
}

/** Polls the memory of the child processes, and returns the maximum of any of them. */
function watchChildren(pid: number): { stop(): number } {
  let maxMb = 0;
  const timer = setInterval(() => {
    for (const child of descendants(pid)) maxMb = Math.max(maxMb, residentMb(child));
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return maxMb;
    },
  };
}

function residentMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000;
  } catch {
    // The process has ended.
    return 0;
  }
}
