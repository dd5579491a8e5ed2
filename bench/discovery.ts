import { readFileSync } from 'node:fs';
import type { SearchedSource, Tool } from '@executor/engine';
import { ensureDocuments } from '../scripts/setup-documents.ts';
import { measureDescribe } from './describe.ts';
import { measureModel } from './discovery/model.ts';
import { ownSets, unanswerable } from './discovery/own-sets.ts';
import { PlainBm25 } from './discovery/plain-bm25.ts';
import { type ExpectedTools, type Quality, qualityOf } from './discovery/quality.ts';
import { readTools, type SearchedTools } from './discovery/searched-set.ts';
import { search, searchedPack } from './discovery/searching.ts';
import { measureDiscoverySpeed } from './discovery/speed.ts';
import { measureUnseen } from './discovery/unseen.ts';
import type { Figure } from './figure.ts';

/**
 * `npm run bench discovery [-- FILE QUERIES]` measures how well tools are found, compared with plain BM25. Without
 * files, it measures our own sets and the speed.
 */
export async function measureDiscovery(args: string[] = []): Promise<Figure[]> {
  const [file, queries] = args;
  if (file !== undefined && queries !== undefined) return measureFiles(file, queries);
  if (file !== undefined)
    throw new RangeError('Pass two files: an OpenAPI document or a list of tools, and the queries.');
  await ensureDocuments();
  const figures: Figure[] = await measureUnseen();
  for (const { name, document, queries: own } of ownSets) {
    const tools = await readTools(document);
    const set = { tools, sources: await Promise.all(tools.sources.map(searchedPack)) };
    for (const kind of ['short', 'sentence', undefined] as const) {
      const ofKind = own.filter((query) => query.kind === kind);
      if (ofKind.length > 0) figures.push(...(await compare(kind ? `${name}, ${kind}` : name, set, ofKind)));
    }
    const answered = unanswerable.filter(
      ({ query }) => search(set.sources, query, { limit: 10 }).found.length > 0,
    );
    figures.push({
      name: `${name}, answers where nothing fits`,
      value: answered.length,
      unit: `of ${unanswerable.length}`,
    });
  }
  return [
    ...figures,
    ...(await measureModel()),
    ...(await measureDiscoverySpeed()),
    ...(await measureDescribe()),
  ];
}

async function measureFiles(file: string, queries: string): Promise<Figure[]> {
  const tools = await readTools(file);
  const set = { tools, sources: await Promise.all(tools.sources.map(searchedPack)) };
  return compare(queries.split('/').at(-1) ?? '', set, JSON.parse(readFileSync(queries, 'utf8')));
}

async function compare(
  name: string,
  { tools, sources }: { tools: SearchedTools; sources: SearchedSource[] },
  queries: ExpectedTools[],
): Promise<Figure[]> {
  const all = tools.sources.flatMap(({ pack }): Tool[] => [...pack.tools()]);
  const plain = new PlainBm25(all);
  const ours = qualityOf(queries, (query) =>
    search(sources, query, { limit: 10 }).found.map(({ path }) => tools.keyOf(path)),
  );
  const theirs = qualityOf(queries, (query) => plain.find(query, 10).map(tools.keyOf));
  return figuresOf(`${name} (${queries.length} requests, ${all.length} tools)`, ours, theirs);
}

function figuresOf(name: string, ours: Quality, theirs: Quality): Figure[] {
  const row = (what: string, pick: (quality: Quality) => number): Figure => ({
    name: `${name}: ${what}`,
    value: pick(ours),
    unit: '',
    baseline: { name: 'plain BM25', value: pick(theirs) },
  });
  return [
    row('recall@1', ({ recall }) => recall[1]),
    row('recall@5', ({ recall }) => recall[5]),
    row('recall@10', ({ recall }) => recall[10]),
    row('any of them first', ({ hit }) => hit[1]),
    row('any of them in the first five', ({ hit }) => hit[5]),
    row('nDCG@10', ({ ndcg }) => ndcg),
    row('empty answers', ({ empty }) => empty),
  ];
}
