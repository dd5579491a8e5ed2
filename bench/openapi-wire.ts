import { fileURLToPath } from 'node:url';
import { buildReader } from '../packages/sources/build.ts';
import {
  corpusDocuments,
  exampleDocuments,
  gitHubDocument,
} from '../packages/sources/test/wire/documents.ts';
import { describeMisses } from '../packages/sources/test/wire/misses.ts';
import {
  measureWire,
  validShare,
  type WireDocument,
  type WireReport,
} from '../packages/sources/test/wire/wire.ts';
import type { Figure } from './figure.ts';

const readerFolder = fileURLToPath(new URL('../packages/sources/dist/reader', import.meta.url));

/** What others say of the requests of all operations. The corpus has to be installed. */
export async function measureWireShare(): Promise<Figure[]> {
  await buildReader(readerFolder);
  const fixtures = await judged(exampleDocuments());
  const gitHub = await judged(gitHubDocument());
  const corpus = await judged(corpusDocuments());
  return [
    figureOf('the fixtures and the corpus together', [...fixtures, ...corpus], 0.5),
    // The fixtures are there to be odd: some allow no value at all.
    figureOf('the fixtures', fixtures),
    figureOf('GitHub', gitHub, 0.5),
    figureOf('the corpus', corpus, 0.5),
  ];
}

async function judged(documents: Iterable<WireDocument>): Promise<WireReport[]> {
  const reports = await measureWire(documents, {
    readerFolder,
    onReport: ({ document, valid, requests }) =>
      console.log(`${document}: ${valid} of ${requests} requests are valid`),
  });
  console.log(describeMisses(reports));
  return reports;
}

function figureOf(name: string, reports: WireReport[], target?: number): Figure {
  const requests = reports.reduce((sum, report) => sum + report.requests, 0);
  return {
    name: `requests of ${name} that are not valid`,
    value: 100 * (1 - validShare(reports)),
    unit: '%',
    ...(target !== undefined && { target }),
    note: `of ${requests}`,
  };
}
