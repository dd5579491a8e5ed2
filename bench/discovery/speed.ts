import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ChunkCache, packTools, type Tool, ToolPack } from '@executor/engine';
import { packWords } from '../../packages/engine/src/catalog/discovery/words/source-words.ts';
import { buildServerThreads } from '../../packages/server/build.ts';
import { githubDocumentPath } from '../../scripts/setup-documents.ts';
import { asShipped } from '../as-shipped.ts';
import { collectGarbage } from '../collect-garbage.ts';
import type { Figure } from '../figure.ts';
import { ownSets } from './own-sets.ts';
import { readTools } from './searched-set.ts';

const threads = new URL('../../packages/server/dist/', import.meta.url);
const manyTools = 25_000;
/** Code is compiled while it runs, so the first rounds measure the compiler. */
const rounds = 12;

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
  const engine = await asShipped<Engine>('engine');
  await buildServerThreads(fileURLToPath(threads));
  const taking = await fastestMs(async () => packWords(tools));
  return [
    {
      name: 'GitHub: words, taken once when its document is read, per tool',
      value: (taking / tools.length) * 1000,
      unit: 'us',
    },
    ...(await figuresFor(engine, { name: 'GitHub', packed: github.packed, searchMs: 3 })),
    ...(await figuresFor(engine, { name: `${manyTools} tools`, packed: many, searchMs: 15 })),
  ];
}

type Engine = Pick<
  typeof import('@executor/engine'),
  'indexTools' | 'SourceIndex' | 'search' | 'searchedSource'
>;

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
  { indexTools, SourceIndex, search, searchedSource }: Engine,
  { name, packed, searchMs }: { name: string; packed: Uint8Array[]; searchMs: number },
): Promise<Figure[]> {
  const { size } = await ToolPack.open(packed, new ChunkCache());
  const firstMs = await onNewThread(packed);
  const buildUs = ((await fastestMs(() => indexTools(packed))) / size) * 1000;
  const before = await heldBytes();
  const index = new SourceIndex(await indexTools(packed));
  const bytes = (await heldBytes()) - before;
  const source = searchedSource({ namespace: 'api', name, index });
  const queries = (ownSets[0]?.queries ?? []).map(({ query }) => query);
  for (const query of queries) search([source], query, { limit: 10 });
  const times: number[] = [];
  for (const query of queries) times.push(await cpuMs(async () => search([source], query, { limit: 10 })));
  times.sort((one, other) => one - other);
  return [
    {
      name: `${name}: search, p50`,
      value: times[times.length >> 1] ?? 0,
      unit: 'ms',
      target: searchMs,
      note: `p95 ${(times[Math.floor(times.length * 0.95)] ?? 0).toFixed(2)} ms`,
    },
    { name: `${name}: index, computing per tool`, value: buildUs, unit: 'us', target: 40 },
    {
      name: `${name}: index, the only one of a new thread`,
      value: firstMs,
      unit: 'ms',
      note: 'its start and compiling its code included',
    },
    { name: `${name}: index, memory per tool`, value: bytes / size / 1000, unit: 'KB', target: 4 },
  ];
}

/** The time to start a thread and build an index on it, as the server does. */
async function onNewThread(packed: Uint8Array[]): Promise<number> {
  const at = performance.now();
  const thread = new Worker(new URL('index-worker.js', threads), { workerData: packed });
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
