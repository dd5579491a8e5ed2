import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildProduct } from '../scripts/build.ts';
import { type Daemon, program, withDaemon } from './daemon.ts';
import type { Figure } from './figure.ts';
import { calls, execute, executeByApi, initialize, time } from './mcp-calls.ts';
import { measureContext } from './mcp-context.ts';
import { measureCrowd } from './mcp-crowd.ts';
import { measurePage } from './mcp-page.ts';
import { median } from './statistics.ts';

const parts: Record<string, (daemon: Daemon) => Promise<Figure[]>> = {
  calls: measureExecute,
  context: async (daemon) => [
    await measureContext({ url: urlOf(daemon), key: keyOf(daemon) }, daemon.client()),
  ],
  bridge: measureBridge,
  page: measurePage,
  crowd: measureCrowd,
};

/** Measures the cost of MCP beyond the API behind it: all parts, or the named ones. */
export async function measureMcp(named: string[]): Promise<Figure[]> {
  const unknown = named.find((part) => !(part in parts));
  if (unknown !== undefined) {
    throw new Error(`There is no part "${unknown}". Parts: ${Object.keys(parts).join(', ')}.`);
  }
  await buildProduct();
  const figures: Figure[] = [];
  for (const [part, measure] of Object.entries(parts)) {
    if (named.length === 0 || named.includes(part)) figures.push(...(await withDaemon(measure)));
  }
  return figures;
}

async function measureExecute(daemon: Daemon): Promise<Figure[]> {
  const server = { url: urlOf(daemon), key: keyOf(daemon) };
  const figures: Figure[] = [];
  for (const [era, call] of Object.entries(calls)) {
    const times: { mcp: number; api: number }[] = [];
    for (let round = 0; round < 800; round++) {
      const mcp = await time(() => execute(server, call));
      times.push({ mcp, api: await time(() => executeByApi(server)) });
    }
    const warm = times.slice(400);
    figures.push({
      name: `execute of return 1, ${era}, p50`,
      value: median(warm.map(({ mcp }) => mcp)),
      unit: 'ms',
      baseline: { name: 'the same through /v1', value: median(warm.map((pair) => pair.api)) },
      target: 1.5,
    });
  }
  return figures;
}

/** The time from the start of the process to the response, with a running daemon and with a stopped one. */
async function measureBridge(daemon: Daemon): Promise<Figure[]> {
  const warm: number[] = [];
  for (let round = 0; round < 11; round++) warm.push(await initializeMs(daemon));
  const cold: number[] = [];
  for (let round = 0; round < 5; round++) {
    daemon.executor('down');
    cold.push(await initializeMs(daemon));
  }
  return [
    { name: 'executor mcp answers initialize', value: median(warm), unit: 'ms', target: 500 },
    { name: 'executor mcp answers initialize, daemon stopped', value: median(cold), unit: 'ms' },
  ];
}

async function initializeMs({ env }: Daemon): Promise<number> {
  const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const answered = once(child.stdout, 'data');
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  const ms = await time(() => answered);
  child.stdin.end();
  await ended;
  return ms;
}

function urlOf({ executor }: Daemon): string {
  return JSON.parse(executor('status', '--json')).url;
}

function keyOf({ executor }: Daemon): string {
  return JSON.parse(executor('keys', 'create', 'bench', '--json')).key;
}
