import { readFileSync } from 'node:fs';
import type { Completion, SandboxHooks } from '@executor/engine';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { copyBuiltFolder } from '../../../test/lane-folder.ts';
import { lanesIn } from '../../../test/processes.ts';
import { randomScript, seededRandom } from '../../../test/random-script.ts';
import { answerWith, ending, outcomeOf, type Recording, record, recorded } from '../../sandbox.suite.ts';
import type { QuickJsSandboxOptions } from '../options.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from '../sandbox.ts';

const long = process.env.EXECUTOR_TEST_LONG === '1';
const ignoresInterrupts = 'Array.prototype.join.call({ length: 2 ** 32 - 1 })';
const counting = 'let n = 0; for (let i = 0; i < 20; i++) n += (await tools.x.add({ n, i })).v; return n';

let sandbox: QuickJsSandbox;

const folder = copyBuiltFolder();

/** A sandbox for the running test. */
async function create(options: Partial<QuickJsSandboxOptions> = {}): Promise<void> {
  const created = await createQuickJsSandbox({ folder, ...options });
  onTestFinished(() => created.close());
  sandbox = created;
}

/** A sandbox of one lane, which the tests of this file share. */
const oneLane = createQuickJsSandbox({ folder, lanes: { warm: 1, max: 1 } });
afterAll(async () => (await oneLane).close());
async function useOneLane(): Promise<void> {
  sandbox = await oneLane;
}

describe('code that ignores interrupts', () => {
  test('is killed, and the runs in the same lane are rebuilt and continue', async () => {
    await useOneLane();
    const gate = gateAfter(10);
    const neighbours = Array.from({ length: 20 }, () => record(sandbox, counting, { onCall: gate.onCall }));
    await gate.reached(20);
    const bad = await outcomeOf(sandbox, ignoresInterrupts, { limits: { cpuMs: 50 } });
    expect(bad).toMatchObject({
      type: 'timedOut',
      allowed: { cpuMs: 50 },
      usage: { cpuMs: expect.any(Number) },
    });
    gate.open();
    for (const { outcome } of await Promise.all(neighbours)) {
      expect(outcome).toMatchObject({ type: 'returned', json: '20' });
      expect(outcome.usage.replayCpuMs).toBeGreaterThan(0);
    }
  });

  test('does not block other runs, and keeps only some lanes busy', async () => {
    await create();
    const controller = new AbortController();
    const limits = { cpuMs: 600_000 };
    const bad = Array.from({ length: 3 }, () =>
      outcomeOf(sandbox, ignoresInterrupts, { limits }, controller.signal),
    );
    await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ hotLanes: 2, heavyWaiting: 1 }), 20_000);
    const good = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(sandbox, 'return 1')));
    expect(good.map(({ type }) => type)).toEqual(Array(10).fill('returned'));
    expect(sandbox.stats().runs).toBe(3);
    controller.abort();
    for (const outcome of await Promise.all(bad)) expect(outcome).toMatchObject({ type: 'cancelled' });
  });

  test('is killed when it is cancelled', async () => {
    await useOneLane();
    const controller = new AbortController();
    const run = outcomeOf(sandbox, ignoresInterrupts, {}, controller.signal);
    await vi.waitFor(() => expect(sandbox.stats().hotLanes).toBe(1), 20_000);
    controller.abort();
    expect(await run).toMatchObject({ type: 'cancelled' });
    expect(await outcomeOf(sandbox, 'return 1')).toMatchObject({ type: 'returned' });
  });
});

describe('lanes', () => {
  test('random scripts survive external kills of their lanes', { timeout: 600_000 }, async () => {
    await create({ waiting: { keepAfterMs: 20 } });
    const random = seededRandom(7);
    await outcomeOf(sandbox, 'return 1');
    const onCall = soonWithKills(random);
    const scripts = Array.from({ length: long ? 150 : 12 }, (_, seed) => randomScript(seed));
    const runs = await inBatches(scripts, 10, (script) => record(sandbox, script, { onCall }));
    for (const [position, run] of runs.entries()) await expectSameAgain(scripts[position] ?? '', run);
  });

  test('a run survives external kills of its lane, in a slice or while the lane starts', async () => {
    await useOneLane();
    const code = 'let n = 0; for (let i = 0; i < 2e6; i++) n += i; return 1';
    const run = outcomeOf(sandbox, code, { limits: { cpuMs: 600_000, replayCpuMs: 600_000 } });
    for (let kills = 0; kills < 8; kills++) {
      const atWork = kills % 2;
      const expectLane = () =>
        expect([lanesIn(folder).length, sandbox.stats().busyLanes]).toEqual([1, atWork]);
      await vi.waitFor(expectLane, { timeout: 20_000, interval: 2 });
      killChildren();
    }
    expect(await run).toMatchObject({ type: 'returned', json: '1' });
  });

  test('have no environment', async () => {
    await useOneLane();
    await outcomeOf(sandbox, 'return 1');
    const environments = lanesIn(folder).map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'));
    expect(environments.map((text) => text.replace(/PWD=[^\0]*\0?/, ''))).toEqual(['']);
  });

  test('stop when idle, and start again', async () => {
    await create({ idleMs: 100, waiting: { keepAfterMs: 40 } });
    expect(sandbox.stats().lanes).toBe(0);
    expect(await outcomeOf(sandbox, 'return 1')).toMatchObject({ type: 'returned' });
    expect(sandbox.stats().lanes).toBeGreaterThan(0);
    await vi.waitFor(() => expect(sandbox.stats().lanes).toBe(0), 20_000);
    expect(await outcomeOf(sandbox, 'return 2')).toMatchObject({ type: 'returned' });
  });

  test('admit the next run when the run before it in the queue was cancelled', async () => {
    await create({ vms: 1, lanes: { warm: 1, max: 1 } });
    // Endless code, because a run that only waits gives its slot to others.
    const [endless, waiting] = [new AbortController(), new AbortController()];
    const first = outcomeOf(sandbox, 'for (;;);', { limits: { cpuMs: 600_000 } }, endless.signal);
    await vi.waitFor(() => expect(sandbox.stats().hotLanes).toBe(1), 20_000);
    const second = outcomeOf(sandbox, 'return 2', {}, waiting.signal);
    const third = outcomeOf(sandbox, 'return 3');
    await vi.waitFor(() => expect(sandbox.stats().runs).toBe(3), 20_000);
    waiting.abort();
    endless.abort();
    const types = (await Promise.all([first, second, third])).map(({ type }) => type);
    expect(types).toEqual(['cancelled', 'cancelled', 'returned']);
  });

  test('start no run while too many bytes are in flight, and all waiting runs afterwards', async () => {
    await create({ bytesInFlight: 100, lanes: { warm: 1, max: 1 } });
    const gate = gateAfter(0);
    const code = 'await tools.x.y({ x: "y".repeat(1000) }); await tools.x.z({}); return 1';
    const first = outcomeOf(sandbox, code, { onCall: gate.onCall });
    await gate.reached(1);
    const held = gateAfter(0);
    const others = [1, 2, 3].map(() => outcomeOf(sandbox, 'await tools.x.y()', { onCall: held.onCall }));
    await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ runs: 4, liveVms: 1 }), 20_000);
    gate.open();
    await held.reached(3);
    held.open();
    for (const outcome of await Promise.all([first, ...others]))
      expect(outcome).toMatchObject({ type: 'returned' });
  });

  test('run nothing behind endless code once another lane is free', async () => {
    await create({ lanes: { warm: 1, max: 2 } });
    const controllers = [new AbortController(), new AbortController()];
    const endless = controllers.map(({ signal }) =>
      outcomeOf(sandbox, 'for (;;);', { limits: { cpuMs: 600_000 } }, signal),
    );
    await vi.waitFor(() => expect(sandbox.stats().hotLanes).toBe(2), 20_000);
    const neighbours = [1, 2, 3, 4].map(() => outcomeOf(sandbox, 'return 1'));
    await vi.waitFor(() => expect(sandbox.stats().runs).toBe(6), 20_000);
    controllers[0]?.abort();
    for (const outcome of await Promise.all(neighbours)) expect(outcome).toMatchObject({ type: 'returned' });
    expect(sandbox.stats().runs).toBe(1);
    controllers[1]?.abort();
    await Promise.all(endless);
  });

  test('do not start after the sandbox was closed', async () => {
    await create();
    const compilation = await sandbox.compile('return 1');
    if (compilation.type === 'rejected') throw new Error(compilation.error.message);
    sandbox.close();
    const request = { program: compilation.program, seed: 's', epoch: 0 };
    expect(await sandbox.run(request, { onCall: () => {} })).toMatchObject({ type: 'cancelled' });
    expect(sandbox.stats().lanes).toBe(0);
  });

  test('hold at most the allowed number of VMs, and queue other runs', async () => {
    await create({ vms: 3 });
    const runs = Array.from({ length: 12 }, () => record(sandbox, counting));
    for (const { outcome } of await Promise.all(runs)) expect(outcome).toMatchObject({ type: 'returned' });
  });
});

describe('a waiting run', () => {
  test('is kept as pages, and continues in another process without replay', async () => {
    await create({ waiting: { keepAfterMs: 20 } });
    const gate = gateAfter(10);
    const run = record(sandbox, counting, { onCall: gate.onCall });
    await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ keptVms: 1, liveVms: 0 }), 20_000);
    expect(sandbox.stats().keptBytes).toBeLessThan(150_000);
    killChildren();
    gate.open();
    const { outcome } = await run;
    expect(outcome).toMatchObject({ type: 'returned', json: '20', usage: { replayCpuMs: 0 } });
  });

  test('is rebuilt from its completions when pages may not be kept', async () => {
    await create({ waiting: { keepAfterMs: 20, keptBytes: 0 } });
    const gate = gateAfter(10);
    const run = record(sandbox, counting, { onCall: gate.onCall });
    await vi.waitFor(
      () => expect(sandbox.stats()).toMatchObject({ keptVms: 0, liveVms: 0, runs: 1 }),
      20_000,
    );
    gate.open();
    const { outcome } = await run;
    expect(outcome).toMatchObject({ type: 'returned', json: '20' });
    expect(outcome.usage.replayCpuMs).toBeGreaterThan(0);
  });
});

test('a run with much memory is not kept as pages, which would block its lane', async () => {
  await create({ waiting: { keepAfterMs: 20 }, lanes: { warm: 1, max: 1 } });
  const code = `const noise = new Uint32Array(1e6);
    for (let i = 0, x = 1; i < noise.length; i++) noise[i] = x = Math.imul(x, 1664525) + 1013904223;
    await tools.x.y();
    return noise.length`;
  const gate = gateAfter(0);
  const run = outcomeOf(sandbox, code, { onCall: gate.onCall });
  await gate.reached(1);
  await vi.waitFor(() => expect(sandbox.stats()).toMatchObject({ liveVms: 0, keptVms: 0 }), 20_000);
  gate.open();
  expect(await run).toMatchObject({ type: 'returned', json: '1000000' });
});

test('rebuilding a run has its own CPU limit', async () => {
  await useOneLane();
  const code = 'await tools.x.one(); for (;;); await tools.x.two()';
  const [one] = (await record(sandbox, 'await tools.x.one()')).calls;
  const history = {
    calls: [...recorded(one ? [one] : []), { path: 'x.two', inputHash: 'h' }],
    completions: [answerWith({ index: 0 } as never, 1), answerWith({ index: 1 } as never, 1)],
  };
  const outcome = await outcomeOf(sandbox, code, { history, limits: { replayCpuMs: 100 } });
  expect(outcome).toMatchObject({
    type: 'timedOut',
    allowed: { replayCpuMs: 100 },
    message: expect.stringMatching(/^Rebuilding the run used \d+ ms/),
    usage: { cpuMs: 0 },
  });
});

test('CPU time of earlier processes counts against the limit', async () => {
  await useOneLane();
  const history = { calls: [], completions: [], cpuMs: 900 };
  const outcome = await outcomeOf(sandbox, 'for (;;);', { history, limits: { cpuMs: 1_000 } });
  expect(outcome).toMatchObject({ type: 'timedOut', allowed: { cpuMs: 1_000 } });
  expect(outcome.usage.cpuMs).toBeGreaterThanOrEqual(100);
  expect(outcome).toMatchObject({
    message: expect.stringMatching(/^The code used 1\d\d\d ms of CPU time; 1000 ms are allowed/),
  });
});

describe('a hook that throws', () => {
  const throwing = () => {
    throw new Error('a mistake of the engine');
  };
  const code =
    'console.log(1); const t = setTimeout(() => {}, 9); clearTimeout(t); await tools.x.y(); return 1';
  test.each<[string, Partial<SandboxHooks>]>([
    ['onCall', { onCall: throwing }],
    ['onDeliver', { onDeliver: throwing }],
    ['onAbandon', { onAbandon: throwing }],
    ['onLog', { onLog: throwing }],
  ])('%s fails its own run, and no other run in the same lane', async (_name, hooks) => {
    await useOneLane();
    const gate = gateAfter(10);
    const neighbour = record(sandbox, counting, { onCall: gate.onCall });
    await gate.reached(1);
    const compilation = await sandbox.compile(code);
    if (compilation.type === 'rejected') throw new Error(compilation.error.message);
    const onCall: SandboxHooks['onCall'] = (call, complete) => complete(answerWith(call, null));
    const request = { program: compilation.program, seed: 's', epoch: 0 };
    await expect(sandbox.run(request, { onCall, ...hooks })).rejects.toThrow('a mistake of the engine');
    gate.open();
    const { outcome } = await neighbour;
    expect(outcome).toMatchObject({ type: 'returned', json: '20', usage: { replayCpuMs: 0 } });
    expect(sandbox.stats()).toMatchObject({ runs: 0, liveVms: 0, bytesInFlight: 0 });
  });
});

test('an invalid history fails its run at once', async () => {
  await useOneLane();
  const history = { calls: [], completions: [{ index: 0, at: 0 } as Completion] };
  await expect(outcomeOf(sandbox, 'await tools.x.y(); return 1', { history })).rejects.toThrow(TypeError);
  expect(await outcomeOf(sandbox, 'return 1')).toMatchObject({ type: 'returned' });
});

test('an invalid limit is refused', async () => {
  await useOneLane();
  await expect(outcomeOf(sandbox, 'return 1', { limits: { memoryMb: 1 } })).rejects.toThrow(
    /limits.memoryMb must be/,
  );
  await expect(outcomeOf(sandbox, 'return 1', { limits: { calls: Number.NaN } })).rejects.toThrow(
    /limits.calls must be/,
  );
});

/** Answers each run's calls up to a number, and the others when it is opened. */
function gateAfter(answered: number) {
  const held: (() => void)[] = [];
  let opened = false;
  return {
    onCall({ index }: { index: number }, complete: (completion: Completion) => void) {
      const answer = () => complete(answerWith({ index } as never, { v: 1 }));
      if (index < answered || opened) setImmediate(answer);
      else held.push(answer);
    },
    reached: (count: number) => vi.waitFor(() => expect(held).toHaveLength(count), 60_000),
    open() {
      opened = true;
      for (const answer of held) answer();
    },
  };
}

const callsPerKill = 25;

/** Kills after a number of calls, not after a time. So there is progress between two kills on any machine. */
function soonWithKills(random: () => number) {
  let calls = 0;
  return (call: { index: number }, complete: (completion: Completion) => void) => {
    calls += 1;
    if (calls % callsPerKill === 0) killOldestLane();
    setTimeout(() => complete(answerWith(call as never, { v: call.index })), random() * 40);
  };
}

async function expectSameAgain(script: string, { outcome, calls, completions }: Recording): Promise<void> {
  expect(outcome, script).toMatchObject({ type: expect.toBeOneOf(['returned', 'threw']) });
  const again = await record(sandbox, script, { history: { calls: recorded(calls), completions } });
  expect(ending(again.outcome), script).toEqual(ending(outcome));
}

async function inBatches<T, R>(items: T[], size: number, one: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += size) {
    results.push(...(await Promise.all(items.slice(at, at + size).map(one))));
  }
  return results;
}

function killChildren(): void {
  for (const pid of lanesIn(folder)) kill(pid);
}

function killOldestLane(): void {
  const pid = lanesIn(folder).sort((a, b) => a - b)[0];
  if (pid !== undefined) kill(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
