import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ChunkCache, type Invocation, type Source, type Tool, ToolPack } from '@executor/engine';
import { createHttpClient, createOpenApiSource } from '@executor/sources';
import { buildReader } from '../packages/sources/build.ts';
import {
  corpusDocuments,
  exampleDocuments,
  gitHubDocument,
} from '../packages/sources/test/wire/documents.ts';
import { describeMisses, measureWire, validShare } from '../packages/sources/test/wire/wire.ts';
import type { Figure } from './figure.ts';
import { median } from './statistics.ts';

/** Calls of an API on this machine beside a bare `fetch` of the same, and what others say of the requests of all operations. */
const readerFolder = fileURLToPath(new URL('../packages/sources/dist/reader', import.meta.url));
const rounds = 1000;
const atOnce = 1000;

export async function measureCalls(): Promise<Figure[]> {
  await buildReader(readerFolder);
  const { url, child } = await startApi();
  const http = createHttpClient();
  try {
    const call = await callOf(createOpenApiSource({ http, readerFolder }), url);
    const bare = async () => (await fetch(`${url}/things/1?page=2`)).json();
    const [ours, theirs] = await inTurns(rounds, [call, bare]);
    const [many, bareMany] = await inTurns(5, [() => together(call), () => together(bare)]);
    const baseline = { name: 'bare fetch', value: median(theirs ?? []) };
    return [
      {
        name: 'a call, one after the other',
        value: median(ours ?? []),
        unit: 'ms',
        baseline,
        target: Number((2 + 1 / baseline.value).toFixed(2)),
        note: 'the target is 2x and 1 ms',
      },
      {
        name: '1,000 calls at once',
        value: median(many ?? []) / 1000,
        unit: 's',
        target: 1.5,
        note: `bare fetch: ${(median(bareMany ?? []) / 1000).toFixed(2)} s`,
      },
    ];
  } finally {
    await http.close();
    child.kill();
  }
}

/** The corpus has to be installed. */
export async function measureWireShare(): Promise<Figure[]> {
  await buildReader(readerFolder);
  const figures: Figure[] = [];
  const sets = {
    'the fixtures': exampleDocuments(),
    GitHub: gitHubDocument(),
    'the corpus': corpusDocuments(),
  };
  for (const [name, documents] of Object.entries(sets)) {
    const reports = await measureWire(documents, {
      readerFolder,
      onReport: ({ document, valid, requests }) =>
        console.log(`${document}: ${valid} of ${requests} requests are valid`),
    });
    console.log(describeMisses(reports));
    const requests = reports.reduce((sum, report) => sum + report.requests, 0);
    figures.push({
      name: `requests of ${name} that are not valid`,
      value: 100 * (1 - validShare(reports)),
      unit: '%',
      // The fixtures are there to be odd: some allow no value at all.
      ...(name !== 'the fixtures' && { target: 0.5 }),
      note: `of ${requests}`,
    });
  }
  return figures;
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

async function callOf(source: Source, url: string): Promise<() => Promise<unknown>> {
  const signal = new AbortController().signal;
  const settings = { document, baseUrl: url, allowPrivateNetwork: true };
  const { tools } = await source.load(settings, { namespace: 'bench', signal });
  const pack = await ToolPack.open(tools, new ChunkCache());
  const [row] = pack.rows();
  const tool = pack.find(row?.path ?? '') as Tool;
  const invocation: Omit<Invocation, 'settings'> = {
    tool,
    input: { id: '1', page: 2 },
    auth: { headers: { authorization: 'Bearer token' } },
    call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
    ask: () => Promise.reject(new Error('nobody is there')),
    putArtifact: () => Promise.reject(new Error('nothing is kept')),
    readArtifact: async () => undefined,
  };
  return async () => {
    const outcome = await source.invoke({ ...invocation, settings }, new AbortController().signal);
    if (outcome.type === 'error') throw new Error(outcome.message);
    return outcome.value;
  };
}

function together(task: () => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: atOnce }, task));
}

/** Times each in turn, so that what else the machine does falls on all of them alike. */
async function inTurns(count: number, tasks: (() => Promise<unknown>)[]): Promise<number[][]> {
  const times = tasks.map((): number[] => []);
  for (const task of tasks) for (let round = 0; round < Math.min(count, 200); round++) await task();
  for (let round = 0; round < count; round++) {
    for (const [position, task] of tasks.entries()) {
      const started = performance.now();
      await task();
      times[position]?.push(performance.now() - started);
    }
  }
  return times;
}
