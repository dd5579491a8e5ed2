import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  ChunkCache,
  type Discovery,
  packTools,
  type SearchedSource,
  type Tool,
  ToolPack,
  toolTexts,
} from '@executor/engine';
import { vectorsFile } from '../../packages/discovery/build.ts';
import { buildServerThreads } from '../../packages/server/build.ts';
import { githubDocumentPath } from '../../scripts/setup-documents.ts';
import { asShipped } from '../as-shipped.ts';
import { collectGarbage } from '../collect-garbage.ts';
import type { Figure } from '../figure.ts';
import { ownSets } from './own-sets.ts';
import { readTools } from './searched-set.ts';
import { search } from './searching.ts';

const threads = new URL('../../packages/server/dist/', import.meta.url);
const manyTools = 25_000;
/** Code is compiled while it runs, so the first rounds measure the compiler. */
const rounds = 3;

/**
 * Measures the time to build an index, its size, and the time of a search: for GitHub, and for twenty systems like it
 * with other nouns.
 */
export async function measureDiscoverySpeed(): Promise<Figure[]> {
  const { sources } = await readTools(githubDocumentPath);
  const [github] = sources;
  if (github === undefined) throw new RangeError('There are no tools.');
  const tools = [...github.pack.tools()];
  const many = packTools(copies(tools, manyTools));
  const { createDiscovery } = await asShipped<typeof import('@executor/discovery')>('discovery');
  const by = createDiscovery({ vectorsFile });
  await buildServerThreads(fileURLToPath(threads));
  return [
    ...(await figuresFor(by, { name: 'GitHub', packed: github.packed, searchMs: 10 })),
    ...(await figuresFor(by, { name: `${manyTools} tools`, packed: many, searchMs: 30 })),
  ];
}

/** The same operations with other nouns, so that the number of words is realistic for that many tools. */
function* copies(tools: Tool[], count: number): Generator<Tool> {
  const nouns = [
    'issue',
    'pull',
    'branch',
    'release',
    'workflow',
    'team',
    'secret',
    'package',
    'runner',
    'gist',
  ];
  for (let number = 0; number < count; number++) {
    const tool = tools[number % tools.length] as Tool;
    const round = Math.floor(number / tools.length);
    const other = (text: string) =>
      round === 0
        ? text
        : text.replace(new RegExp(nouns.join('|'), 'gi'), (noun) => `${noun}${letters(round)}`);
    yield {
      ...tool,
      path: `${other(tool.path)}${round === 0 ? '' : round}`,
      description: other(tool.description),
    };
  }
}

function letters(round: number): string {
  return String.fromCharCode(...[...String(round)].map((digit) => 97 + Number(digit)));
}

async function figuresFor(
  by: Discovery,
  { name, packed, searchMs }: { name: string; packed: Uint8Array[]; searchMs: number },
): Promise<Figure[]> {
  const { size } = await ToolPack.open(packed, new ChunkCache());
  const firstMs = await onNewThread(packed);
  const indexed = async () => by.index(await toolTexts(packed));
  const buildMs = await fastestMs(indexed);
  const before = await heldBytes();
  const source: SearchedSource = { namespace: 'api', name, index: by.open(await indexed()) };
  const bytes = (await heldBytes()) - before;
  const queries = (ownSets[0]?.queries ?? []).map(({ query }) => query);
  for (const query of queries) search([source], query, { limit: 10 }, by);
  const times: number[] = [];
  for (const query of queries)
    times.push(await cpuMs(async () => search([source], query, { limit: 10 }, by)));
  times.sort((one, other) => one - other);
  return [
    {
      name: `${name}: search, p50`,
      value: times[times.length >> 1] ?? 0,
      unit: 'ms',
      target: searchMs,
      note: `p95 ${(times[Math.floor(times.length * 0.95)] ?? 0).toFixed(2)} ms`,
    },
    { name: `${name}: index, computing`, value: buildMs / 1_000, unit: 's', target: 60 },
    {
      name: `${name}: index, the only one of a new thread`,
      value: firstMs,
      unit: 'ms',
      note: 'its start and compiling its code included',
    },
    { name: `${name}: index, memory per tool`, value: bytes / size / 1000, unit: 'KB', target: 5 },
  ];
}

/** The time to start a thread and build an index on it, as the server does. */
async function onNewThread(packed: Uint8Array[]): Promise<number> {
  const at = performance.now();
  const thread = new Worker(new URL('index-worker.js', threads), {
    workerData: { tools: packed, wordVectors: pathToFileURL(vectorsFile).href },
  });
  await new Promise<void>((resolve, reject) => {
    thread.once('message', ({ type, message }) =>
      type === 'index' ? resolve() : reject(new Error(message)),
    );
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread ended before it was done.')));
  });
  return performance.now() - at;
}

/** The minimum of several rounds, because cache misses of other processes count as CPU time of this one. */
async function fastestMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await cpuMs(work));
  return Math.min(...times);
}

/** CPU time, which excludes waiting for other processes. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function heldBytes(): Promise<number> {
  await collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
