import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProduct } from '../scripts/build.ts';
import { ensureDocuments, githubDocumentPath } from '../scripts/setup-documents.ts';
import type { Figure } from './figure.ts';
import { measureCalls } from './openapi-calls.ts';
import { documentsFolder } from './openapi-corpus/corpus.ts';
import { measureCorpus } from './openapi-corpus-figures.ts';
import { measurePaste } from './openapi-load.ts';
import { measureWireShare } from './openapi-wire.ts';

const graph = join(documentsFolder, 'microsoft.com/graph-beta.json');

/** OpenAPI sources: documents become tools, tools become requests. The corpus comes first among what needs it, as it installs it. */
export async function measureOpenApi(): Promise<Figure[]> {
  await Promise.all([buildProduct(), ensureDocuments()]);
  const github = await measurePaste({
    name: 'GitHub',
    document: readFileSync(githubDocumentPath, 'utf8'),
    targets: { seconds: 2, delayMs: 50, serverMb: 40 },
  });
  const calls = await measureCalls();
  const corpus = await measureCorpus();
  const graphFigures = await measurePaste({
    name: 'Microsoft Graph beta',
    document: readFileSync(graph, 'utf8'),
    targets: { seconds: 25, childMb: 1_500 },
  });
  return [...github, ...graphFigures, ...calls, ...corpus, ...(await measureWireShare())];
}
