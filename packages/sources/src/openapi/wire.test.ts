import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildReader } from '../../build.ts';
import { corpusDocuments, exampleDocuments, gitHubDocument } from '../../test/wire/documents.ts';
import { describeMisses, unexplainedMisses } from '../../test/wire/misses.ts';
import {
  measureWire,
  validShare,
  type WireDocument,
  type WireReport,
  type WireSample,
} from '../../test/wire/wire.ts';

/* What is sent, judged by somebody else: each operation is called with a generated minimal and maximal input. */

const isLong = process.env.EXECUTOR_TEST_LONG === '1';
let readerFolder: string;

beforeAll(async () => {
  readerFolder = await mkdtemp(join(tmpdir(), 'executor-reader-'));
  await buildReader(readerFolder);
});

afterAll(() => rm(readerFolder, { recursive: true }));

async function judged(documents: Iterable<WireDocument>, sample?: WireSample) {
  const reports = await measureWire(documents, { readerFolder, ...(sample && { sample }) });
  expect(unexplainedMisses(reports)).toEqual([]);
  return { reports, share: validShare(reports), misses: describeMisses(reports) };
}

let ofFixtures: WireReport[] = [];

test('the operations of all fixtures are called as their documents say', async () => {
  // Many of them are there to contradict themselves; the list of misses says how.
  const { share, misses, reports } = await judged(exampleDocuments());
  ofFixtures = reports;
  expect(share, misses).toBeGreaterThan(0.98);
});

test("GitHub's operations are called as its document says", async () => {
  // The long suite has all of them.
  const { share, misses } = await judged(
    gitHubDocument(),
    isLong ? undefined : { seed: 'wire', operations: 60 },
  );
  expect(share, misses).toBeGreaterThanOrEqual(0.995);
});

test.runIf(isLong)(
  'so are those of Stripe, OpenAI, Slack, Kubernetes, Twilio, DocuSign and Zoom, the fixtures counted with them',
  { timeout: 1_800_000 },
  async () => {
    const { reports, misses } = await judged(corpusDocuments());
    expect(validShare([...ofFixtures, ...reports]), misses).toBeGreaterThanOrEqual(0.995);
  },
);
