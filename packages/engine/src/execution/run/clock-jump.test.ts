import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TestEngine } from '../../../test/test-engine.ts';
import type { Clock } from '../../clock.ts';

const hourMs = 3_600_000;

/** The clock of this machine, with an offset. */
class JumpingClock implements Clock {
  #ahead = 0;
  readonly #waiting = new Set<{ time: number; callback(): void }>();
  readonly #tick = setInterval(() => this.#callBack(), 5);

  now(): Date {
    return new Date(Date.now() + this.#ahead);
  }

  at(time: number, callback: () => void): () => void {
    const waiting = { time, callback };
    this.#waiting.add(waiting);
    return () => this.#waiting.delete(waiting);
  }

  elapsed(): number {
    return performance.now();
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }

  soon(callback: () => void): void {
    setImmediate(callback);
  }

  jump(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  stop(): void {
    clearInterval(this.#tick);
  }

  #callBack(): void {
    const now = this.now().getTime();
    const due = [...this.#waiting].filter(({ time }) => time <= now).sort((a, b) => a.time - b.time);
    for (const waiting of due) if (this.#waiting.delete(waiting)) waiting.callback();
  }
}

let clock: JumpingClock;
let host: TestEngine;
beforeEach(async () => {
  clock = new JumpingClock();
  host = await TestEngine.start({ clock, worker: { evictAfterMs: 100 * hourMs } });
});
afterEach(async () => {
  await host.close();
  clock.stop();
});

test('A clock that jumps forward fires timers once, and questions stay pending', async () => {
  const code = 'const from = Date.now(); await sleep(3_600_000 * 3); return Date.now() - from';
  const sleeping = await host.run(code, { waitMs: 0 });
  const waiting = await host.run('return tools.notes.add({ text: "approved later" })', { waitMs: 0 });
  const [asked] = await host.asked(waiting.id);
  await sleep(200);
  expect((await host.get(sleeping.id)).status).not.toBe('completed');
  clock.jump(4 * hourMs);
  const woken = await host.wait(sleeping.id);
  expect(woken.status).toBe('completed');
  expect(woken.result).toBeGreaterThanOrEqual(3 * hourMs);
  expect(await host.get(waiting.id)).toMatchObject({ status: 'waiting' });
  await host.answer(asked?.id ?? '', { action: 'approve' });
  expect(await host.wait(waiting.id)).toMatchObject({ status: 'completed' });
  expect(host.notes.count('notes.add')).toBe(1);
  for (const { id } of [sleeping, waiting])
    expect(await host.engine.executions.replay(host.owner, id)).toMatchObject({ matched: true });
});

test('A clock that jumps during a call does not take the run from its worker, and repeats nothing', async () => {
  let answer = () => {};
  host.notes.instead.set('notes.list', () => {
    return new Promise((resolve) => {
      answer = () => resolve({ type: 'value', value: ['late'] });
    });
  });
  const run = await host.run(
    'try { return await tools.notes.list() } catch (error) { return error.details.code }',
    { waitMs: 0 },
  );
  while (host.notes.count('notes.list') === 0) await sleep(10);
  // After the end of the lease, but before the timeout of the call.
  clock.jump(45_000);
  await sleep(300);
  answer();
  expect(await host.wait(run.id)).toMatchObject({ status: 'completed', result: ['late'] });
  expect(host.notes.count('notes.list')).toBe(1);
  expect((await host.story(run.id)).filter((type) => type === 'execution.started')).toHaveLength(1);
});

test('A clock that is set back delays no deadline, and the code never sees it', async () => {
  await host.close();
  host = await TestEngine.start({ clock, worker: { leaseMs: 1_500, evictAfterMs: 500 } });
  const renewals = vi.spyOn(host.store.executions, 'renew');
  let answer = () => {};
  host.notes.instead.set('notes.list', () => {
    return new Promise((resolve) => {
      answer = () => resolve({ type: 'value', value: [] });
    });
  });
  const passed = 'const from = Date.now(); await tools.notes.list(); return Date.now() - from';
  const calling = await host.run(passed, { waitMs: 0 });
  const waiting = await host.run('return tools.notes.add({ text: "approved later" })', { waitMs: 0 });
  const [asked] = await host.asked(waiting.id);
  clock.jump(-hourMs);
  renewals.mockClear();
  // The next heartbeat occurs, and idle runs are released.
  await expect.poll(() => renewals.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(0);
  await expect.poll(async () => (await host.engine.worker.list())[0]?.running, { timeout: 20_000 }).toBe(1);
  answer();
  expect(await host.wait(calling.id)).toMatchObject({ status: 'completed', result: 0 });
  await host.answer(asked?.id ?? '', { action: 'approve' });
  expect(await host.wait(waiting.id)).toMatchObject({ status: 'completed' });
});

test('A question that expires throws an error that the code can catch', async () => {
  await host.engine.workspaces.changeSettings(host.owner, { answerWithinHours: 1 });
  const caught = '.catch(({ name, message, details }) => [name, message, details.code])';
  const run = await host.run(`return tools.notes.add({ text: "x" })${caught}`);
  const [asked] = await host.asked(run.id);
  expect(Date.parse(asked?.expiresAt ?? '')).toBeGreaterThan(Date.parse(asked?.createdAt ?? ''));
  clock.jump(2 * hourMs);
  const isOver = async () => (await host.get(run.id)).status === 'completed';
  await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
  expect(await host.get(run.id)).toMatchObject({
    result: ['ToolDeniedError', 'Nobody approved notes.add in time.', 'expired'],
  });
  expect(host.notes.count('notes.add')).toBe(0);
  await expect(host.answer(asked?.id ?? '', { action: 'approve' })).rejects.toMatchObject({ code: 'gone' });
});
