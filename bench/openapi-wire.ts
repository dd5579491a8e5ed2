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

interface Share {
  name: string;
  documents(): Iterable<WireDocument>;
  /** The maximum share in percent. The fixtures have none, because some of their schemas allow no value at all. */
  target?: number;
}

const shares: Record<string, Share> = {
  fixtures: { name: 'the fixtures', documents: exampleDocuments },
  github: { name: 'GitHub', documents: gitHubDocument, target: 0.5 },
  corpus: { name: 'the corpus', documents: corpusDocuments, target: 0.5 },
};

export const wireParts = Object.keys(shares);

/**
 * Measures the share of valid requests, judged by other implementations, for all operations or those of the named
 * parts. Other words select documents by name (`corpus zoom twilio`). The corpus has to be installed.
 */
export async function measureWireShare(names: string[]): Promise<Figure[]> {
  const named = wireParts.filter((part) => names.includes(part));
  const wanted = named.length === 0 ? wireParts : named;
  const words = names.filter((name) => !wireParts.includes(name));
  const figures: Figure[] = [];
  const together: WireReport[] = [];
  for (const [part, { name, documents, target }] of Object.entries(shares)) {
    if (!wanted.includes(part)) continue;
    const reports = await measureReports(selectDocuments(documents(), words));
    if (reports.length > 0) figures.push(figureOf(name, reports, target));
    if (part !== 'github') together.push(...reports);
  }
  if (figures.length === 0) throw new Error(`No document has ${words.join(' or ')} in its name.`);
  const isWhole = words.length === 0 && wanted.includes('fixtures') && wanted.includes('corpus');
  return isWhole ? [figureOf('the fixtures and the corpus together', together, 0.5), ...figures] : figures;
}

function* selectDocuments(documents: Iterable<WireDocument>, words: string[]): Generator<WireDocument> {
  for (const document of documents) {
    const name = document.name.toLowerCase();
    if (words.length === 0 || words.some((word) => name.includes(word.toLowerCase()))) yield document;
  }
}

async function measureReports(documents: Iterable<WireDocument>): Promise<WireReport[]> {
  const reports = await measureWire(documents, {
    onReport: ({ document, valid, requests }) =>
      console.log(`${document}: ${valid} of ${requests} requests are valid`),
  });
  if (reports.length > 0) console.log(describeMisses(reports));
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
