import { expect, test } from 'vitest';
import { corpusDocuments, exampleDocuments, gitHubDocument } from '../../test/wire/documents.ts';
import { describeMisses, unexplainedMisses } from '../../test/wire/misses.ts';
import {
  measureWire,
  validShare,
  type WireDocument,
  type WireReport,
  type WireSample,
} from '../../test/wire/wire.ts';

/* An independent validator judges the requests: each operation is called with a generated minimal and a maximal input. */

const isLong = process.env.EXECUTOR_TEST_LONG === '1';

/** Only the long run calls every operation. The sample has all operations of most examples. */
function sampleOf(operations: number): WireSample | undefined {
  return isLong ? undefined : { seed: 'wire', operations };
}

async function judged(documents: Iterable<WireDocument>, sample?: WireSample) {
  const reports = await measureWire(documents, { sample });
  expect(unexplainedMisses(reports)).toEqual([]);
  return { reports, share: validShare(reports), misses: describeMisses(reports) };
}

let exampleReports: WireReport[] = [];

test('requests to the operations of all examples match their documents', async () => {
  // Some examples contradict themselves on purpose. The list of misses says how.
  const { share, misses, reports } = await judged(exampleDocuments(), sampleOf(20));
  exampleReports = reports;
  expect(share, misses).toBeGreaterThan(0.98);
});

test("requests to GitHub's operations match its document", async () => {
  const { share, misses } = await judged(gitHubDocument(), sampleOf(30));
  expect(share, misses).toBeGreaterThanOrEqual(0.995);
});

test.runIf(isLong)(
  'requests to Stripe, OpenAI, Slack, Kubernetes, Twilio, DocuSign and Zoom match their documents, examples included',
  { timeout: 1_800_000 },
  async () => {
    const { reports, misses } = await judged(corpusDocuments());
    expect(validShare([...exampleReports, ...reports]), misses).toBeGreaterThanOrEqual(0.995);
  },
);
