import { expect, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import { localJsonReader } from '../../json/local-json-reader.ts';
import type { ExecutionRow } from '../../ports/execution-store.ts';
import { noUsage } from '../../ports/sandbox.ts';
import { endingOf } from './run-ending.ts';

test('A large result that is not JSON ends the run as crashed, and is not stored', async () => {
  const outcome = { type: 'returned', json: `["${'x'.repeat(2_000_000)}`, usage: noUsage } as const;
  const facts = { execution: {} as ExecutionRow, cpuMs: 1 };
  const put = () => Promise.reject(new Error('The result was stored.'));
  const parts = { clock: systemClock, jsonReader: localJsonReader, artifacts: { put } };
  expect(await endingOf(outcome, facts, parts)).toMatchObject({
    status: 'failed',
    result: null,
    error: { code: 'crashed', message: 'The sandbox process returned a result that is not JSON.' },
  });
});
