import { mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  ChunkCache,
  declarationOf,
  exampleOf,
  type SearchedSource,
  signatureOf,
  type Tool,
  ToolPack,
} from '@executor/engine';
import { createTypeChecker } from '@executor/typecheck';
import { Catalog } from '../packages/engine/src/catalog/catalog.ts';
import { ToolFinder } from '../packages/engine/src/catalog/discovery/tool-finder.ts';
import { samePrintThread, ToolPrinter } from '../packages/engine/src/catalog/signature/tool-printer.ts';
import { readDocument } from '../packages/sources/src/openapi/reader/read-document.ts';
import { githubDocument } from '../packages/sources/test/examples.ts';
import { buildChecker } from '../packages/typecheck/build.ts';
import { ownSets } from './discovery/own-sets.ts';
import { discovery as ranking, searchedPack } from './discovery/searching.ts';
import type { Figure } from './figure.ts';
import { median, percentile } from './statistics.ts';

/** Describing GitHub's tools, and checking code that calls them. */
export async function measureDescribe(): Promise<Figure[]> {
  const pack = await github();
  return [...describing(pack), ...(await discovering(pack)), ...(await checking(pack))];
}

async function github(): Promise<ToolPack> {
  const { tools } = readDocument({
    bytes: githubDocument(),
    url: 'https://api.example.com/openapi.json',
    namespace: 'github',
    previous: [],
    fetch: () => ({ refused: 'there is no network here' }),
  });
  return ToolPack.open(tools, new ChunkCache());
}

/** The minimum of several attempts, because other work on the machine can only add time. */
function fastest(pack: ToolPack, path: string, rounds: number): number {
  const tries = Array.from({ length: rounds }, () => {
    const at = performance.now();
    const tool = pack.find(path) as Tool;
    exampleOf(tool);
    signatureOf(tool);
    return performance.now() - at;
  });
  return Math.min(...tries);
}

function describing(pack: ToolPack): Figure[] {
  const paths = [...pack.paths()];
  const times = paths.map((path) => ({ path, ms: fastest(pack, path, 3) }));
  const slowest = times.toSorted((one, other) => other.ms - one.ms).slice(0, 20);
  const again = slowest.map(({ path }) => fastest(pack, path, 30));
  const sizes = paths.map((path) => signatureOf(pack.find(path) as Tool).length);
  const create = signatureOf(pack.find('github.issues.create') as Tool).length;
  return [
    { name: 'describe, GitHub, p50', value: median(times.map(({ ms }) => ms)), unit: 'ms', target: 5 },
    { name: 'describe, GitHub, slowest tool', value: Math.max(...again), unit: 'ms', target: 5 },
    { name: "signature of GitHub's issues.create", value: create, unit: 'characters', target: 1_500 },
    { name: 'longest signature', value: Math.max(...sizes), unit: 'characters', target: 1_500 },
  ];
}

/** Everything that `tools.discover` does for ten results: the search, and signatures that are not cached yet. */
async function discovering({ packed }: ToolPack): Promise<Figure[]> {
  const { index } = await searchedPack({ namespace: 'github', name: 'GitHub', packed });
  const queries = (ownSets[0]?.queries ?? []).map(({ query }) => query);
  const reader = { workspaceId: 'ws', actorId: 'act', kind: 'agent' } as const;
  const round = async () => {
    const discovery = await discoveryOf(packed, index);
    const times: number[] = [];
    for (const query of queries) {
      // CPU time excludes waiting for other processes.
      const before = process.cpuUsage();
      await discovery.discover(reader, { query });
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1_000);
    }
    return times;
  };
  await round();
  const times = await round();
  return [
    {
      name: 'discover, ten results with signatures, GitHub, p50',
      value: median(times),
      unit: 'ms',
      target: 3,
      note: `p95 ${percentile(times, 95).toFixed(1)} ms`,
    },
  ];
}

async function discoveryOf(packed: Uint8Array[], index: SearchedSource['index']): Promise<ToolFinder> {
  const revisions = async () => [];
  const store = { sources: { revisions }, subscribe: () => () => {} } as never;
  const catalog = new Catalog({ store, kinds: [], now: () => new Date() });
  const source = { kind: 'openapi', load: async () => ({ tools: packed, warnings: [] }) } as never;
  await catalog.connect({ namespace: 'github', source, settings: {} }, new AbortController().signal);
  return new ToolFinder({
    catalog,
    discovery: ranking,
    policies: { outlook: async () => () => 'allow' },
    indexes: { ready: async () => index },
    printer: new ToolPrinter(samePrintThread),
  });
}

const calledTools = ['issues.create', 'issues.list', 'pulls.merge', 'repos.get', 'pulls.list'];

/** Fifty lines that call five tools, some of them wrongly. Each round has slightly different code. */
function code(round: number): string {
  const lines = Array.from({ length: 9 }, (_, index) => [
    `const repo${index} = await tools.github.repos.get({ owner: 'acme', repo: 'site${round}' });`,
    `const open${index} = await tools.github.issues.list({ state: 'open', per_page: ${index + 1} });`,
    `const names${index} = open${index}.map((issue) => issue.title.toUpperCase()).filter(Boolean);`,
    `if (names${index}.length > ${index}) await tools.github.issues.create({ owner: 'acme', repo: repo${index}.name, title: names${index}[0] });`,
    `const pulls${index} = await tools.github.pulls.list({ owner: 'acme', repo: 'site' });`,
  ]).flat();
  return `(async () => {${lines.join('\n')}\nawait tools.github.pulls.merge({ owner: 'acme', repo: 'site', pull_number: ${round} });\n})`;
}

async function checking(pack: ToolPack): Promise<Figure[]> {
  const folder = mkdtempSync(fileURLToPath(new URL('../packages/typecheck/dist-', import.meta.url)));
  await buildChecker(folder);
  const checker = createTypeChecker({ folder, deadlineMs: 20_000 });
  const declarations = declarationsOf(pack);
  const once = async (round: number) => {
    const at = performance.now();
    const check = await checker.check({ owner: 'bench', code: code(round), declarations });
    if (check.type === 'skipped' || check.problems.some(({ isCertain }) => isCertain))
      throw new Error(JSON.stringify(check).slice(0, 500));
    return performance.now() - at;
  };
  try {
    const cold = await once(0);
    const warm: number[] = [];
    for (let round = 1; round <= 40; round++) warm.push(await once(round));
    const size = `${(declarations.length / 1024).toFixed(0)} KB of declarations`;
    return [
      { name: 'typecheck of 50 lines, warm, p50', value: median(warm), unit: 'ms', target: 15, note: size },
      { name: 'typecheck of 50 lines, warm, fastest', value: Math.min(...warm), unit: 'ms' },
      { name: 'typecheck of 50 lines, warm, p95', value: percentile(warm, 95), unit: 'ms' },
      { name: 'typecheck of 50 lines, with its start', value: cold, unit: 'ms' },
    ];
  } finally {
    checker.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function declarationsOf(pack: ToolPack): string {
  const types: string[] = [];
  const fields = calledTools.map((name, index) => {
    const [group, operation] = name.split('.');
    const declared = declarationOf(pack.find(`github.${name}`) as Tool, { prefix: `T${index}_` });
    types.push(...declared.types);
    return `{ ${group}: { ${operation}: ${declared.type} } }`;
  });
  return `declare const tools: { github: ${fields.join(' & ')} };\n${types.join('\n')}`;
}
