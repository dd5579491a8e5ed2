import {
  ChunkCache,
  indexTools,
  packTools,
  SourceIndex,
  search,
  searchedSource,
  type Tool,
  ToolPack,
} from '@executor/engine';
import { githubDocumentPath } from '../../scripts/setup-documents.ts';
import { collectGarbage } from '../collect-garbage.ts';
import type { Figure } from '../figure.ts';
import { ownSets } from './own-sets.ts';
import { readTools } from './searched-set.ts';

const manyTools = 25_000;

/** How long an index takes to make, how large it is, and how long a search takes: on GitHub, and on twenty systems like it under other names. */
export async function measureDiscoverySpeed(): Promise<Figure[]> {
  const { sources } = await readTools(githubDocumentPath);
  const [github] = sources;
  if (github === undefined) throw new RangeError('There are no tools.');
  const tools = [...github.pack.tools()];
  const many = packTools(copies(tools, manyTools));
  return [
    ...(await figuresFor('GitHub', github.packed, { searchMs: 3 })),
    ...(await figuresFor(`${manyTools} tools`, many, { searchMs: 15 })),
  ];
}

/** The same operations on other things, so that the words are as many as in so many tools. */
function* copies(tools: Tool[], count: number): Generator<Tool> {
  const things = [
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
  for (let made = 0; made < count; made++) {
    const tool = tools[made % tools.length] as Tool;
    const round = Math.floor(made / tools.length);
    const other = (text: string) =>
      round === 0
        ? text
        : text.replace(new RegExp(things.join('|'), 'gi'), (thing) => `${thing}${letters(round)}`);
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
  name: string,
  packed: Uint8Array[],
  { searchMs }: { searchMs: number },
): Promise<Figure[]> {
  const { size } = await ToolPack.open(packed, new ChunkCache());
  // The fastest of some: a machine that does other things as well counts their misses of the cache as ours.
  const builds: number[] = [];
  for (let round = 0; round < 4; round++) builds.push(await cpuMs(() => indexTools(packed)));
  const buildUs = (Math.min(...builds) / size) * 1000;
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
    { name: `${name}: index, memory per tool`, value: bytes / size / 1000, unit: 'KB', target: 4 },
  ];
}

/** What it computes, not how long others keep it waiting. */
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
