import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDiscovery } from '@executor/discovery';
import { createEmbedder, type ProcessEmbedder } from '@executor/embedding';
import { type SearchedSource, type TextVector, toolText, toolTexts } from '@executor/engine';
import { vectorsFile } from '../../packages/discovery/build.ts';
import { buildEmbedder } from '../../packages/embedding/build.ts';
import { githubDocumentPath } from '../../scripts/setup-documents.ts';
import { hasModel, testModelFolder } from '../../scripts/setup-model.ts';
import type { Figure } from '../figure.ts';
import { cpuSeconds, pss } from '../process-stats.ts';
import { ownSets } from './own-sets.ts';
import { readTools } from './searched-set.ts';
import { search } from './searching.ts';
import { type Prepare, unseenQuality } from './unseen-quality.ts';
import type { Half } from './unseen-sets.ts';

const discovery = createDiscovery({ vectorsFile, hasModel: true });
const idleMs = 2_000;
const waitMs = 60_000;

/** Measures search with the language model, if it is set up. */
export async function measureModel(): Promise<Figure[]> {
  if (!hasModel()) {
    console.log('Without the language model. `npx tsx scripts/setup-model.ts` downloads it.');
    return [];
  }
  return [...(await modelQuality('report')), ...(await modelSpeed())];
}

export async function modelQuality(half: Half): Promise<Figure[]> {
  return withEmbedder(async (embedder) => {
    const model = new KnownTexts(embedder);
    const found = await unseenQuality(half, model.prepare);
    const name = `unseen services with the language model (${found.requests} requests, ${found.tools} tools)`;
    return [
      { name: `${name}: recall@5, one service`, value: found.alone, unit: '' },
      { name: `${name}: recall@5, all together`, value: found.together, unit: '' },
      { name: `${name}: empty answers`, value: found.empty, unit: '' },
      {
        name: `${name}: refused, if nothing fits`,
        value: found.refused,
        unit: `of ${found.unanswerable}`,
      },
    ];
  });
}

export async function modelSpeed(): Promise<Figure[]> {
  return withEmbedder(async (embedder) => {
    const { sources } = await readTools(githubDocumentPath);
    const packed = sources[0]?.packed ?? [];
    const index = discovery.open(discovery.index(await toolTexts(packed)));
    const vectors = await embedder.embed(index.texts, { type: 'background' });
    if (vectors === undefined) throw new Error('The language model does not work.');
    index.setVectors(vectors);
    const pid = embedder.pid as number;
    const [seconds, megabytes] = [cpuSeconds([pid]), pss(pid) / 1024];
    const source: SearchedSource = { namespace: 'api', name: 'GitHub', index };
    const times: number[] = [];
    for (const { query } of ownSets[0]?.queries ?? []) {
      const startedAt = performance.now();
      const texts = discovery.requestTexts([source], query);
      const known = await vectorsOf(embedder, texts);
      search([source], query, { limit: 10, vectors: known }, discovery);
      times.push(performance.now() - startedAt);
    }
    times.sort((one, other) => one - other);
    await sleep(idleMs * 2);
    const name = 'GitHub with the language model';
    return [
      {
        name: `${name}: search, p50`,
        value: times[times.length >> 1] ?? 0,
        unit: 'ms',
        target: 150,
        note: `p95 ${(times[Math.floor(times.length * 0.95)] ?? 0).toFixed(0)} ms`,
      },
      {
        name: `${name}: reading all tools, CPU`,
        value: seconds,
        unit: 's',
        target: 180,
        note: `${index.size} tools`,
      },
      { name: `${name}: memory of the process`, value: megabytes, unit: 'MB', target: 768 },
      {
        name: `${name}: processes when idle`,
        value: embedder.pid === undefined ? 0 : 1,
        unit: '',
        target: 1,
      },
    ];
  });
}

/** Computes the vector of each text once, because the sets share tools and requests. */
class KnownTexts {
  readonly #embedder: ProcessEmbedder;
  readonly #known = new Map<string, TextVector>();

  constructor(embedder: ProcessEmbedder) {
    this.#embedder = embedder;
  }

  readonly prepare: Prepare = async (services) => {
    const sources: SearchedSource[] = [];
    for (const { namespace, title, tools } of services) {
      const index = discovery.open(discovery.index(tools.map(toolText)));
      const vectors = await this.#vectorsOf(index.texts);
      index.setVectors(index.texts.map((text) => vectors.get(text) as TextVector));
      sources.push({ namespace, name: title, index });
    }
    return async (request) => {
      const vectors = await this.#vectorsOf(discovery.requestTexts(sources, request));
      return search(sources, request, { limit: 10, vectors }, discovery).found.map(({ path }) => path);
    };
  };

  async #vectorsOf(texts: readonly string[]): Promise<Map<string, TextVector>> {
    const missing = [...new Set(texts)].filter((text) => !this.#known.has(text));
    for (const [text, vector] of await vectorsOf(this.#embedder, missing)) this.#known.set(text, vector);
    return this.#known;
  }
}

async function vectorsOf(
  embedder: ProcessEmbedder,
  texts: readonly string[],
): Promise<Map<string, TextVector>> {
  const job =
    texts.length > 20
      ? ({ type: 'background' } as const)
      : ({ type: 'request', owner: 'bench', waitMs } as const);
  const vectors = await embedder.embed(texts, job);
  if (vectors === undefined) throw new Error('The language model does not work.');
  return new Map(texts.map((text, position) => [text, vectors[position] as TextVector]));
}

async function withEmbedder<Result>(work: (embedder: ProcessEmbedder) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'executor-embedder-'));
  await buildEmbedder(folder);
  const onProblem = (message: string, details: Record<string, unknown>) => console.error(message, details);
  const embedder = createEmbedder({
    model: 'bench',
    folder,
    modelFolder: testModelFolder,
    idleMs,
    onProblem,
  });
  // Background work keeps no process alive.
  const working = setInterval(() => {}, waitMs);
  try {
    return await work(embedder);
  } finally {
    clearInterval(working);
    embedder.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
