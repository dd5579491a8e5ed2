import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@executor/client';
import { type Daemon, withDaemon } from './daemon.ts';
import type { Figure } from './figure.ts';
import { descendants, pss } from './process-stats.ts';
import { percentile } from './statistics.ts';

const attackMs = 20_000;
const settleMs = 30_000;
const everyMs = 20;

/** Loops, native loops that ignore interrupts, a regular expression, and memory bombs. */
const hostile = [
  'for (;;);',
  'for (let i = 0; ; i++) JSON.parse("[" + i + "]");',
  'Array.prototype.join.call({ length: 2 ** 32 - 1 })',
  'const a = []; a[2 ** 32 - 2] = 1; a.reverse()',
  '/^(a+)+$/.test("a".repeat(40) + "b")',
  'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)',
  'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))',
  'let s = "x"; for (;;) s += s',
];

/** Measures what eight hostile scripts of one key, repeated without a pause, do to the runs of another key and to memory. */
export async function measureNeighbours(): Promise<Figure[]> {
  return withDaemon(async (daemon) => {
    const { url } = JSON.parse(daemon.executor('status', '--json'));
    const neighbour = await newAgent(daemon, url, 'neighbour');
    const attacker = await newAgent(daemon, url, 'attacker');
    await probe(neighbour, 2_000);
    const quiet = await probe(neighbour, 5_000);
    const stopping = new AbortController();
    const memory = watchMemory(daemon.pid(), stopping.signal);
    const attacks = hostile.map((code) => repeat(attacker, code, stopping.signal));
    const attacked = await probe(neighbour, attackMs);
    stopping.abort();
    const peak = await memory;
    await Promise.all(attacks);
    await cancelAll(daemon.client(url));
    await sleep(settleMs);
    const after = memoryOf(daemon.pid());
    const baseline = { name: 'quiet', value: percentile(quiet, 95) };
    return [
      {
        ...{ name: 'return 1 beside 8 hostile scripts, p95', unit: 'ms', baseline, target: 5 },
        value: percentile(attacked, 95),
        note: `p50 ${percentile(attacked, 50).toFixed(1)} beside ${percentile(quiet, 50).toFixed(1)} ms, max ${Math.max(...attacked).toFixed(0)} ms, ${attacked.length} runs`,
      },
      { name: 'memory of all processes, peak', value: peak, unit: 'MB', target: 400 },
      { name: 'memory 30 s after the attack', value: after, unit: 'MB', target: 250 },
    ];
  });
}

async function newAgent(daemon: Daemon, url: string, name: string): Promise<Client> {
  const { key } = JSON.parse(daemon.executor('keys', 'create', name, '--kind', 'agent', '--json'));
  return createClient({ url, token: key });
}

async function probe(client: Client, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const startedAt = performance.now();
    const { status } = await client.executions.create({ code: 'return 1', waitMs: 50_000 });
    if (status !== 'completed') throw new Error(`return 1 ended as ${status}`);
    times.push(performance.now() - startedAt);
    await sleep(everyMs);
  }
  return times;
}

async function repeat(client: Client, code: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await client.executions
      .create({ code, waitMs: 50_000, typecheck: false }, { signal })
      .catch(() => sleep(100));
  }
}

async function cancelAll(client: Client): Promise<void> {
  for (const status of ['queued', 'running'] as const) {
    const { items } = await client.executions.list({ status, limit: 100 });
    for (const { id } of items) await client.executions.cancel({ id }).catch(() => {});
  }
}

async function watchMemory(pid: number, signal: AbortSignal): Promise<number> {
  let peak = 0;
  while (!signal.aborted) {
    peak = Math.max(peak, memoryOf(pid));
    await sleep(200);
  }
  return peak;
}

/** The memory of a process and its descendants in megabytes. Shared memory is divided among them. */
function memoryOf(pid: number): number {
  const pids = [pid, ...tryOr([], () => descendants(pid))];
  return pids.reduce((sum, one) => sum + tryOr(0, () => pss(one)), 0) / 1024;
}

/** A process may end while it is examined. */
function tryOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
