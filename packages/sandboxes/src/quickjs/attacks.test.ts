import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Attack } from '../../test/attacks/attack.ts';
import { escapes } from '../../test/attacks/escapes.ts';
import { floods } from '../../test/attacks/floods.ts';
import { loops } from '../../test/attacks/loops.ts';
import { memory } from '../../test/attacks/memory.ts';
import { protocols } from '../../test/attacks/protocols.ts';
import { copyBuiltFolder } from '../../test/lane-folder.ts';
import { processesNaming, residentBytes } from '../../test/processes.ts';
import { answerWith, record } from '../sandbox.suite.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from './sandbox.ts';

const folder = copyBuiltFolder();
/** Each attack runs beside another run, which must not be affected. */
let sandbox: QuickJsSandbox;
beforeAll(async () => {
  sandbox = await createQuickJsSandbox({ folder });
});
afterAll(() => sandbox.close());

const megabyte = 1024 * 1024;
/** An allowance for uncollected garbage, and for outcomes that the tests keep. */
const maxServerGrowth = 8 * megabyte;
/** A new lane uses about 50 MB. It may keep spare machines, and 32 MB of dropped machines until it collects them. */
const maxLaneBytes = 160 * megabyte;

describe.each([
  ['endless loops', loops],
  ['memory', memory],
  ['escapes', escapes],
  ['floods', floods],
  ['protocols', protocols],
])('%s', (_class, attacks) => {
  let before = 0;
  beforeAll(() => {
    before = usedByServer();
  });

  test.concurrent.each(attacks)('$name', async (attack) => {
    const [outcome] = await Promise.all([attackOnce(attack), expectUnharmedNeighbour()]);
    expect(outcome).toMatchObject({
      type: expect.toBeOneOf([attack.ends].flat()),
      ...(attack.json !== undefined && { json: attack.json }),
    });
    if (attack.message)
      expect(outcome).toMatchObject({ error: { message: expect.stringMatching(attack.message) } });
  });

  test('the server and every lane free the memory', async () => {
    await expectUnharmedNeighbour();
    expect(sandbox.stats()).toMatchObject({ runs: 0, liveVms: 0, keptVms: 0, bytesInFlight: 0 });
    expect(usedByServer() - before).toBeLessThan(maxServerGrowth);
    await vi.waitFor(() => expect(Math.max(...residentBytesOfLanes())).toBeLessThan(maxLaneBytes), 20_000);
  });
});

test('the corpus is large', () => {
  expect(loops.length + memory.length + escapes.length + floods.length).toBeGreaterThanOrEqual(80);
});

async function attackOnce({ code, limits }: Attack) {
  const { outcome } = await record(sandbox, code, { ...(limits && { limits }), answer: echo });
  return outcome;
}

async function expectUnharmedNeighbour(): Promise<void> {
  const { outcome } = await record(
    sandbox,
    'let n = 0; for (let i = 0; i < 5; i++) n += (await tools.x.one({ i })).echo.length; return n',
    { answer: echo },
  );
  expect(outcome).toMatchObject({ type: 'returned', json: '25' });
}

async function echo(call: Parameters<typeof answerWith>[0]) {
  return answerWith(call, { echo: call.path });
}

function usedByServer(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function residentBytesOfLanes(): number[] {
  return processesNaming(`${folder}/lane.cjs`).map((pid) => residentBytes(pid));
}

const collectGarbage: () => void = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
})();
