import { setTimeout as sleep } from 'node:timers/promises';
import type { Daemon } from './daemon.ts';
import type { Figure } from './figure.ts';
import { calls, execute, initialize, post, type Server, time } from './mcp-calls.ts';
import { pss } from './process-stats.ts';
import { median, percentile } from './statistics.ts';

const clients = 500;
const runsEach = 10;
/** The time in which a client makes its ten runs. Agents think between their calls. */
const pacedMs = 60_000;
const settleMs = 20_000;

/** Measures many agents, each with its own key and session: first at their usual pace, then all at once. */
export async function measureCrowd(daemon: Daemon): Promise<Figure[]> {
  const api = daemon.client();
  const { url } = JSON.parse(daemon.executor('status', '--json'));
  const servers: Server[] = [];
  for (let number = 0; number < clients; number++) {
    const { key } = await api.apiKeys.create({ name: `client ${number}` });
    servers.push({ url, key });
  }
  const [first] = servers as [Server];
  const alone: number[] = [];
  for (let round = 0; round < 300; round++)
    alone.push(await time(() => execute(first, calls['session era'])));
  const before = pss(daemon.pid());
  const paced = await crowd(servers, pacedMs);
  await sleep(settleMs);
  const after = pss(daemon.pid());
  const burst = await crowd(servers, 0);
  await sleep(settleMs);
  const last = pss(daemon.pid());
  const baseline = { name: 'one client, p50', value: median(alone.slice(100)) };
  const figure = (name: string, { times, seconds }: Crowd): Figure => ({
    ...{ name, value: percentile(times, 95), unit: 'ms', baseline, target: 20 },
    note: `${times.length} of ${clients * runsEach} answered, in ${seconds.toFixed(0)} s; p50 ${median(times).toFixed(0)} ms`,
  });
  return [
    figure(`${clients} clients, ${runsEach} runs each within a minute, p95`, paced),
    figure(`${clients} clients, all of it at once, p95`, burst),
    { name: 'server memory after the minute', value: (after - before) / 1000, unit: 'MB more', target: 30 },
    { name: 'server memory after all at once', value: (last - before) / 1000, unit: 'MB more', target: 60 },
  ];
}

interface Crowd {
  times: number[];
  seconds: number;
}

/** Fails if any run gets no response. */
async function crowd(servers: Server[], withinMs: number): Promise<Crowd> {
  const times: number[] = [];
  const startedAt = performance.now();
  const pauseMs = withinMs / runsEach;
  await Promise.all(
    servers.map(async (server) => {
      await sleep(Math.random() * pauseMs);
      const { session } = await post(server, { body: initialize, headers: {} });
      const call = { ...calls['session era'], headers: { 'mcp-session-id': session } };
      for (let round = 0; round < runsEach; round++) {
        const nextAt = performance.now() + pauseMs * (0.5 + Math.random());
        times.push(await time(() => execute(server, call)));
        await sleep(Math.max(0, nextAt - performance.now()));
      }
    }),
  );
  return { times, seconds: (performance.now() - startedAt) / 1000 };
}
