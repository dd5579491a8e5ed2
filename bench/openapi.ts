import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProduct } from '../scripts/build.ts';
import { ensureDocuments, githubDocumentPath } from '../scripts/setup-documents.ts';
import type { Figure } from './figure.ts';
import { measureCalls } from './openapi-calls.ts';
import { documentsFolder, ensureCorpus } from './openapi-corpus/corpus.ts';
import { measureCorpus } from './openapi-corpus-figures.ts';
import { measurePaste } from './openapi-load.ts';
import { measureWireShare, wireParts } from './openapi-wire.ts';

const graph = join(documentsFolder, 'microsoft.com/graph-beta.json');

/** The parts that can be measured separately. All of them take a quarter of an hour. */
const parts: Record<string, (names: string[]) => Promise<Figure[]>> = {
  load: () => measureGitHub(),
  graph: () => measureGraph(),
  calls: () => measureCalls(),
  corpus: () => measureCorpus(),
  wire: (names) => measureWireShare(names),
};

/**
 * Measures OpenAPI sources: `npm run bench openapi [-- PART [NAME…]]`. Only `wire` takes names, of its parts and of
 * documents.
 */
export async function measureOpenApi([part, ...names]: string[]): Promise<Figure[]> {
  if (part !== undefined && !Object.hasOwn(parts, part))
    throw new Error(
      `There is no part "${part}". Parts: ${Object.keys(parts).join(', ')}; of the wire: ${wireParts.join(', ')}.`,
    );
  await Promise.all([buildProduct(), ensureDocuments(), ensureCorpus()]);
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (part === undefined || part === name) figures.push(...(await measure(names)));
  }
  return figures;
}

function measureGitHub(): Promise<Figure[]> {
  return measurePaste({
    name: 'GitHub',
    document: readFileSync(githubDocumentPath, 'utf8'),
    targets: { seconds: 2, delayMs: 50, serverMb: 40 },
  });
}

function measureGraph(): Promise<Figure[]> {
  return measurePaste({
    name: 'Microsoft Graph beta',
    document: readFileSync(graph, 'utf8'),
    targets: { seconds: 25, childMb: 1_500 },
  });
}
