import { fileURLToPath } from 'node:url';
import { buildReader } from '../packages/sources/build.ts';
import {
  corpusDocuments,
  exampleDocuments,
  gitHubDocument,
} from '../packages/sources/test/wire/documents.ts';
import { describeMisses, measureWire, validShare } from '../packages/sources/test/wire/wire.ts';
import type { Figure } from './figure.ts';

const readerFolder = fileURLToPath(new URL('../packages/sources/dist/reader', import.meta.url));

/** What others say of the requests of all operations. The corpus has to be installed. */
export async function measureWireShare(): Promise<Figure[]> {
  await buildReader(readerFolder);
  const figures: Figure[] = [];
  const sets = {
    'the fixtures': exampleDocuments(),
    GitHub: gitHubDocument(),
    'the corpus': corpusDocuments(),
  };
  for (const [name, documents] of Object.entries(sets)) {
    const reports = await measureWire(documents, {
      readerFolder,
      onReport: ({ document, valid, requests }) =>
        console.log(`${document}: ${valid} of ${requests} requests are valid`),
    });
    console.log(describeMisses(reports));
    const requests = reports.reduce((sum, report) => sum + report.requests, 0);
    figures.push({
      name: `requests of ${name} that are not valid`,
      value: 100 * (1 - validShare(reports)),
      unit: '%',
      // The fixtures are there to be odd: some allow no value at all.
      ...(name !== 'the fixtures' && { target: 0.5 }),
      note: `of ${requests}`,
    });
  }
  return figures;
}
