import type { Completion, SandboxHooks } from '@executor/engine';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { copyBuiltFolder } from '../../../test/lane-folder.ts';
import { lanesIn, privateBytes } from '../../../test/processes.ts';
import { answerWith, outcomeOf } from '../../sandbox.suite.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from '../sandbox.ts';

/** One owner's hostile scripts beside the runs of another owner. */
const folder = copyBuiltFolder();
const megabyte = 1024 * 1024;
/** A lane of its own uses about 25 MB. */
const laneBytes = 40 * megabyte;
const vmBytes = 64 * megabyte;
const lanes = { warm: 3, max: 7 };
const heavy = { max: 3, perOwner: 2 };
const patience = { timeout: 60_000 };

const hostile = [
  'for (;;);',
  'for (let i = 0; ; i++) JSON.parse("[" + i + "]");',
  'Array.prototype.join.call({ length: 2 ** 32 - 1 })',
  'const a = []; a[2 ** 32 - 2] = 1; a.reverse()',
  '/^(a+)+$/.test("a".repeat(40) + "b")',
  'for (;;) { try { const a = []; for (;;) a.push("x".repeat(1e6) + a.length) } catch {} }',
  'for (;;) { try { const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1)) } catch {} }',
  'for (;;) { try { let s = "x"; for (;;) s += s } catch {} }',
];
const fill = (bytes: number) => `const kept = new Uint8Array(${bytes}).fill(1);`;

describe('Eight hostile scripts', () => {
  test('keep two lanes busy, and another owner’s runs complete meanwhile', async () => {
    const { sandbox, attack } = await create();
    const attacks = hostile.map((code) => attack(code));
    await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ hotLanes: 2, heavyWaiting: 6 }), patience);
    for (let n = 0; n < 20; n++) {
      expect(await outcomeOf(sandbox, `return ${n}`, { owner: 'neighbour' })).toMatchObject({
        json: String(n),
      });
    }
    expect(sandbox.stats()).toMatchObject({ hotLanes: 2, runs: attacks.length });
    expect(sandbox.stats().lanes).toBeLessThanOrEqual(lanes.warm + heavy.perOwner);
    // Killed lanes need a moment to end.
    const expectFewProcesses = () => expect(lanesIn(folder).length).toBeLessThanOrEqual(lanes.max);
    await vi.waitFor(expectFewProcesses, patience);
  });

  test('of several owners keep three lanes busy, and leave others to short runs', async () => {
    const { sandbox, attack } = await create();
    for (const [position, code] of hostile.entries()) attack(code, `attacker ${position % 4}`);
    await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ hotLanes: 3, heavyWaiting: 5 }), patience);
    expect(await outcomeOf(sandbox, 'return 1', { owner: 'neighbour' })).toMatchObject({ json: '1' });
    expect(sandbox.stats().lanes).toBeLessThanOrEqual(lanes.max);
  });
});

test('Heavy turns that use much memory run one after the other', async () => {
  const { sandbox, attack } = await create();
  for (const owner of ['a', 'b', 'c', 'd']) attack(`${fill(50e6)} for (;;) kept[0]++;`, owner);
  await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ hotLanes: 1, heavyWaiting: 3 }), patience);
  await vi.waitFor(() => {
    expect(lanesIn(folder).filter((pid) => privateBytes(pid) > laneBytes)).toHaveLength(1);
    expect(bytesOfLanes()).toBeLessThan(lanes.max * laneBytes + vmBytes);
  }, patience);
});

test('The memory of runs that wait is bounded, and dropped VMs continue where they were', async () => {
  const { sandbox, attack } = await create();
  const held: (() => void)[] = [];
  const onCall: SandboxHooks['onCall'] = (call, complete: (completion: Completion) => void) => {
    held.push(() => complete(answerWith(call, 7)));
  };
  const runs = Array.from({ length: 10 }, () =>
    attack(`${fill(40e6)} const n = await tools.x.y(); return n + kept[9]`, 'attacker', onCall),
  );
  await vi.waitFor(() => expect(held).toHaveLength(10), patience);
  await vi.waitFor(() => expect(sandbox.stats().liveVms).toBeLessThanOrEqual(2), patience);
  await vi.waitFor(() => expect(bytesOfLanes()).toBeLessThan(lanes.max * laneBytes + 2 * vmBytes), patience);
  for (const answer of held) answer();
  for (const outcome of await Promise.all(runs))
    expect(outcome).toMatchObject({ type: 'returned', json: '8' });
});

test('A lane frees the memory of a bomb when the run ends', async () => {
  const { attack } = await create();
  expect(await attack('const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))')).toMatchObject({
    type: 'outOfMemory',
  });
  await vi.waitFor(
    () => expect(Math.max(...lanesIn(folder).map(privateBytes))).toBeLessThan(laneBytes),
    patience,
  );
});

test('The waiting runs of one owner leave a lane without runs', async () => {
  const { sandbox, attack } = await create();
  await vi.waitFor(() => {
    sandbox.warmUp();
    expect(sandbox.stats().emptyLanes).toBeGreaterThan(0);
  }, patience);
  for (let n = 0; n < 12; n++) attack('await tools.x.y()', 'attacker', () => {});
  await vi.waitFor(() => {
    sandbox.warmUp();
    expect(sandbox.stats()).toMatchObject({ liveVms: 12, lanes: 3, emptyLanes: 1 });
  }, patience);
});

async function create() {
  const waiting = { keepAfterMs: 600_000 };
  const sandbox = await createQuickJsSandbox({ folder, lanes, heavy, waiting });
  onTestFinished(() => sandbox.close());
  return { sandbox, attack: attackOn(sandbox) };
}

function attackOn(sandbox: QuickJsSandbox) {
  return (code: string, owner = 'attacker', onCall?: SandboxHooks['onCall']) =>
    outcomeOf(sandbox, code, { owner, limits: { cpuMs: 600_000 }, ...(onCall && { onCall }) });
}

function bytesOfLanes(): number {
  return lanesIn(folder).reduce((sum, pid) => sum + privateBytes(pid), 0);
}
