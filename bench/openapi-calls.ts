import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Client } from '@executor/client';
import { withDaemon } from './daemon.ts';
import type { Figure } from './figure.ts';
import { median } from './statistics.ts';

const rounds = 15;
const sequentialCalls = 200;
const concurrentCalls = 1_000;

/** Measures calls of a local API from code in the product, compared with a bare `fetch`. */
export async function measureCalls(): Promise<Figure[]> {
  const { url, child } = await startApi();
  try {
    return await withDaemon(async (daemon) => {
      const client = daemon.client();
      await client.sources.create({ document, namespace: 'bench', baseUrl: url });
      return measureIn(client, url);
    });
  } finally {
    child.kill();
  }
}

async function measureIn(client: Client, url: string): Promise<Figure[]> {
  const call = 'tools.bench.things.getThing({ id: "1", page: 2 })';
  const one = `for (let i = 0; i < ${sequentialCalls}; i++) await ${call}`;
  const many = `await Promise.all(Array.from({ length: ${concurrentCalls} }, () => ${call}))`;
  const run = async (code: string) => {
    const { status, error } = await client.executions.create({ code, waitMs: 60_000 });
    if (status !== 'completed') throw new Error(`a run is ${status}: ${error?.message}`);
  };
  const bare = async () => (await fetch(`${url}/things/1?page=2`)).json();
  const times: { ours: number; bare: number; together: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push({
      ours: (await time(() => run(one))) / sequentialCalls,
      bare: (await time(() => repeat(sequentialCalls, bare))) / sequentialCalls,
      together: await time(() => run(many)),
    });
  }
  const settled = times.slice(3);
  const baseline = { name: 'bare fetch', value: median(settled.map((each) => each.bare)) };
  return [
    {
      name: 'a call of a local API, one after the other',
      value: median(settled.map(({ ours }) => ours)),
      unit: 'ms',
      baseline,
      target: Number((2 + 1 / baseline.value).toFixed(2)),
      note: 'the target is 2x and 1 ms',
    },
    {
      name: `${concurrentCalls} calls at once`,
      value: median(settled.map(({ together }) => together)) / 1000,
      unit: 's',
      target: 1.5,
    },
  ];
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < count; round++) await work();
}

async function startApi(): Promise<{ url: string; child: ChildProcess }> {
  const server = fileURLToPath(new URL('./bare-server.js', import.meta.url));
  const child = spawn(process.execPath, [server], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${Number(port)}`, child };
}

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
        responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
      },
    },
  },
});
