import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@executor/client';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Daemon, withDaemon } from './daemon.ts';
import type { Figure } from './figure.ts';
import { pss } from './process-stats.ts';
import { median } from './statistics.ts';

const rounds = 12;
const callsPerRound = 100;
const idleSources = 20;
const settleMs = 30_000;
const everything = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);

/** Measures MCP sources in the product, compared with the client of the SDK. */
export async function measureMcpSources(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const era of ['legacy', 'modern'] as const)
    figures.push(...(await withDaemon((daemon) => measureHttp(daemon.client(), era))));
  figures.push(...(await withDaemon((daemon) => measureProgram(daemon.client()))));
  figures.push(...(await withDaemon(measureMemory)));
  return figures;
}

async function measureHttp(client: Client, era: 'legacy' | 'modern'): Promise<Figure[]> {
  const { url, child, sessions } = await startUpstream(era);
  const bare = new McpClient({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  try {
    await addSource(client, { url });
    const ten = 'await Promise.all(Array.from({ length: 10 }, () => tools.bench.echo({ text: "x" })))';
    await sessions();
    await client.sources.update({ id: 'bench', timeoutMs: 30_000 });
    await run(client, ten);
    const opened = await sessions();
    await bare.connect(new StreamableHTTPClientTransport(new URL(url)));
    const times: { ours: number; bare: number }[] = [];
    const one = `for (let i = 0; i < ${callsPerRound}; i++) await tools.bench.echo({ text: "x" })`;
    for (let round = 0; round < rounds; round++) {
      times.push({
        ours: (await time(() => run(client, one))) / callsPerRound,
        bare:
          (await time(async () => {
            for (let count = 0; count < callsPerRound; count++)
              await bare.callTool({ name: 'echo', arguments: { text: 'x' } });
          })) / callsPerRound,
      });
    }
    const settled = times.slice(2);
    return [
      {
        name: `an MCP call over HTTP, ${era}`,
        value: median(settled.map(({ ours }) => ours)),
        unit: 'ms',
        baseline: { name: 'the client of the SDK', value: median(settled.map((each) => each.bare)) },
        target: 2,
      },
      ...(era === 'legacy'
        ? [{ name: 'sessions for 10 calls of a run', value: opened, unit: '', target: 1.5 }]
        : []),
    ];
  } finally {
    await bare.close();
    child.kill();
  }
}

/** The first call after the program was stopped. Its own start is measured up to the answer to a call, too. */
async function measureProgram(client: Client): Promise<Figure[]> {
  const program = { command: process.execPath, args: [everything, 'stdio'] };
  await addSource(client, { transport: 'stdio', ...program });
  const times: { ours: number; own: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    // A change of the timeout closes the connection.
    await client.sources.update({ id: 'bench', timeoutMs: 30_000 + round });
    const ours = await time(() => run(client, 'await tools.bench.echo({ message: "x" })'));
    const own = await time(async () => {
      const bare = new McpClient({ name: 'bench', version: '1' });
      await bare.connect(new StdioClientTransport({ ...program, stderr: 'ignore' }));
      await bare.callTool({ name: 'echo', arguments: { message: 'x' } });
      void bare.close();
    });
    times.push({ ours, own });
  }
  const settled = times.slice(2);
  return [
    {
      name: 'the first call of a program',
      value: median(settled.map(({ ours }) => ours)),
      unit: 'ms',
      baseline: { name: 'start by the SDK', value: median(settled.map(({ own }) => own)) },
      target: 1.3,
    },
  ];
}

async function measureMemory(daemon: Daemon): Promise<Figure[]> {
  const { url, child } = await startUpstream('legacy');
  const atRest = async () => {
    daemon.executor('restart');
    await run(daemon.client(), 'return 1');
    await sleep(settleMs);
    return pss(daemon.pid());
  };
  try {
    const before = await atRest();
    for (let count = 0; count < idleSources; count++)
      await addSource(daemon.client(), { url }, `bench${count}`);
    return [
      {
        name: `${idleSources} unused MCP sources, server memory at rest`,
        value: ((await atRest()) - before) / 1000,
        unit: 'MB more',
        target: 10,
      },
    ];
  } finally {
    child.kill();
  }
}

async function addSource(client: Client, settings: object, namespace = 'bench'): Promise<void> {
  await client.sources.create({ kind: 'mcp', namespace, ...settings });
  // Before a write, the journal waits for the disk. The SDK has no journal.
  const tools = { [`${namespace}.echo`]: { effect: 'read', repeatable: true } as const };
  await client.sources.update({ id: namespace, tools });
}

async function run(client: Client, code: string): Promise<void> {
  const { status, error } = await client.executions.create({ code, waitMs: 60_000 });
  if (status !== 'completed') throw new Error(`a run is ${status}: ${error?.message}`);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function startUpstream(
  era: 'legacy' | 'modern',
): Promise<{ url: string; child: ChildProcess; sessions(): Promise<number> }> {
  const tsx = new URL('../node_modules/tsx/dist/esm/index.mjs', import.meta.url).href;
  const program = fileURLToPath(new URL('./mcp-upstream.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', tsx, program, era], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: String(url).trim(),
    child,
    async sessions() {
      child.stdin.write('\n');
      const [count] = (await once(child.stdout, 'data')) as [Buffer];
      return Number(count);
    },
  };
}
