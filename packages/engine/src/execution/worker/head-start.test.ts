import type { Execution } from '@executor/protocol';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';

let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
});
afterAll(() => host.close());

/** Ended runs are written only after this gate is opened. */
class GateAtTheStore {
  readonly #host: TestEngine;
  readonly #spy: { mockRestore(): void };
  /** How each run was or will be written first. */
  readonly written: string[] = [];
  open = () => {};

  constructor(host: TestEngine) {
    const { executions } = host.store;
    const write = executions.create.bind(executions);
    const opened = new Promise<void>((resolve) => {
      this.open = resolve;
    });
    this.#host = host;
    this.#spy = vi.spyOn(executions, 'create').mockImplementation(async (row, events, start) => {
      this.written.push(start.type);
      if (start.type === 'ended') await opened;
      return write(row, events, start);
    });
  }

  /** A run that waits at the gate. On a busy machine some runs do not end in time and pass. */
  async held(code: string): Promise<{ run: Promise<Execution> }> {
    for (;;) {
      const before = this.written.length;
      const run = this.#host.run(code);
      await vi.waitFor(() => expect(this.written).toHaveLength(before + 1), { timeout: 30_000 });
      expect(this.written).not.toContain('queued');
      if (this.written.at(-1) === 'ended') return { run };
      await run;
    }
  }

  remove(): void {
    this.#spy.mockRestore();
  }
}

test('A short run without calls is written once, and can be replayed', async () => {
  const run = await host.run('console.log(1); console.log(2); return Math.random() > 2');
  expect(run).toMatchObject({ status: 'completed', result: false, logs: [{ text: '1' }, { text: '2' }] });
  expect(await host.get(run.id)).toEqual(run);
  expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
});

test('No call is sent before the run is written', async () => {
  const known: unknown[] = [];
  host.notes.instead.set('notes.list', async ({ call }) => {
    const row = await host.store.executions.find(host.owner.workspaceId, call.executionId);
    known.push(row?.status);
    return { type: 'value', value: 'listed' };
  });
  const run = await host.run(
    'console.log("first"); const a = await tools.notes.list({}); console.log(a); return a',
  );
  host.notes.instead.clear();
  expect(known).toEqual(['running']);
  expect(run).toMatchObject({
    status: 'completed',
    result: 'listed',
    logs: [{ text: 'first' }, { text: 'listed' }],
  });
  expect((await host.story(run.id)).slice(0, 4)).toEqual([
    'execution.created',
    'execution.started',
    'log',
    'call.requested',
  ]);
});

test('Code that takes longer continues without a restart', async () => {
  const busy = 'let sum = 0; for (let i = 0; i < 3e6; i++) sum += i; console.log("done"); return sum';
  const run = await host.run(busy);
  expect(run).toMatchObject({ status: 'completed', result: 4_499_998_500_000, logs: [{ text: 'done' }] });
  expect((await host.story(run.id)).filter((type) => type === 'execution.started')).toHaveLength(1);
  expect(await host.engine.executions.replay(host.owner, run.id)).toMatchObject({ matched: true });
});

test('A result that is too large for the row is stored as an artifact', async () => {
  const run = await host.run('return "x".repeat(200_000)');
  expect(run).toMatchObject({ status: 'completed', omitted: { result: { artifactId: expect.any(String) } } });
});

test('An endless loop without a call can be cancelled', async () => {
  const run = await host.run('for (;;);', { waitMs: 50 });
  expect(run.status).toBe('running');
  expect(await host.engine.executions.cancel(host.owner, run.id)).toMatchObject({ status: 'cancelled' });
});

test('Many requests with one key create one run, even if all of them ran the code', async () => {
  const request = { idempotencyKey: 'the same' };
  const runs = await Promise.all(Array.from({ length: 10 }, () => host.run('return 7', request)));
  expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
  for (const { status, result } of runs)
    expect({ status, result }).toEqual({ status: 'completed', result: 7 });
});

test('A run that has ended and waits to be written takes no slot', async () => {
  const few = await TestEngine.start({ worker: { concurrency: 2 } });
  const gate = new GateAtTheStore(few);
  try {
    const held: { run: Promise<Execution> }[] = [];
    for (let number = 0; number < 5; number++) held.push(await gate.held(`return ${number}`));
    gate.open();
    const runs = await Promise.all(held.map(({ run }) => run));
    expect(runs.map(({ status, result }) => [status, result])).toEqual(
      [0, 1, 2, 3, 4].map((result) => ['completed', result]),
    );
  } finally {
    gate.remove();
    await few.close();
  }
});

test('A worker that drains meanwhile does not lose the run', async () => {
  const draining = await TestEngine.start();
  const gate = new GateAtTheStore(draining);
  try {
    const { run } = await gate.held('return "kept"');
    await draining.engine.worker.drain();
    gate.open();
    expect(await draining.get((await run).id)).toMatchObject({ status: 'completed', result: 'kept' });
  } finally {
    gate.remove();
    await draining.close();
  }
});
