import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DockSource } from '../../../test/dock-source.ts';
import { TestEngine } from '../../../test/test-engine.ts';
import type { Invocation, InvocationOutcome } from '../../ports/source.ts';

/* Calls that report while they are made, and calls that suspend themselves to ask a question. */

let host: TestEngine;
let dock: DockSource;
const form = { type: 'object', properties: { size: { type: 'string' } }, required: ['size'] };

/** Asks for the size of the parcel, and continues with the answer and the state. */
async function askForSize({ resumed }: Invocation): Promise<InvocationOutcome> {
  if (resumed) return { type: 'value', value: resumed };
  return {
    type: 'question',
    question: { kind: 'elicitation', prompt: 'Which size?', request: form },
    state: { parcel: 7 },
  };
}
const answered = { state: { parcel: 7 }, answer: { type: 'submitted', data: { size: 'L' } } };

beforeEach(async () => {
  dock = new DockSource();
  host = await TestEngine.start({ sourceKinds: [dock], worker: { leaseMs: 1_500, evictAfterMs: 100 } });
  await host.engine.sources.add(host.owner, {
    kind: 'dock',
    url: 'https://dock.test/',
    approval: { write: 'auto' },
  });
});
afterEach(async () => {
  await host.close();
});

const start = (code: string) => host.run(code, { waitMs: 0 });
const submit = async (executionId: string) => {
  const [asked] = await host.asked(executionId);
  return host.answer(asked?.id ?? '', { action: 'submit', data: { size: 'L' } });
};
const eventsOf = (id: string) => host.store.executions.events(id, { afterSeq: 0, limit: 1_000 });

describe('A call that suspends itself', () => {
  test.each(['list', 'ship'])('continues with its state and the answer: %s', async (name) => {
    dock.instead.set(name, askForSize);
    const { id } = await start(`return await tools.dock.${name}()`);
    await submit(id);
    expect((await host.wait(id)).result).toEqual(answered);
    expect(dock.received).toHaveLength(2);
  });

  test('continues in another process, although it is not repeatable, and is sent only once more', async () => {
    dock.instead.set('ship', askForSize);
    const { id } = await start('return await tools.dock.ship()');
    await host.asked(id);
    await host.engine.worker.drain(0);
    const elsewhere = new DockSource();
    elsewhere.instead.set('ship', askForSize);
    const other = await host.another({ sourceKinds: [elsewhere] });
    await submit(id);
    await other.worker.start();
    const run = await other.executions.wait(host.owner, id, { waitMs: 20_000 });
    await other.worker.drain(0);
    expect(run.result).toEqual(answered);
    expect([dock.received.length, elsewhere.received.length]).toEqual([1, 1]);
  });

  test('asks several questions in turn', async () => {
    dock.instead.set('ship', async ({ resumed }) => {
      const sizes = [
        ...((resumed?.state as string[]) ?? []),
        ...(resumed ? [JSON.stringify(resumed.answer)] : []),
      ];
      if (sizes.length === 2) return { type: 'value', value: sizes.length };
      return {
        type: 'question',
        question: { kind: 'elicitation', prompt: 'Which?', request: form },
        state: sizes,
      };
    });
    const { id } = await start('return await tools.dock.ship()');
    await submit(id);
    await expect.poll(async () => (await host.asked(id)).length, { timeout: 20_000 }).toBe(1);
    await submit(id);
    expect((await host.wait(id)).result).toBe(2);
  });

  test('is not continued if a rule denies it by now, or if its tool has changed', async () => {
    dock.instead.set('ship', askForSize);
    const denied = await start('return await tools.dock.ship()');
    await host.asked(denied.id);
    const { id: rule } = await host.engine.policies.create(host.owner, {
      scope: { type: 'workspace' },
      pattern: 'dock.ship',
      decision: 'deny',
      conditions: [],
    });
    await submit(denied.id);
    expect((await host.wait(denied.id)).error?.message).toContain('is denied');
    await host.engine.policies.remove(host.owner, rule);
    const changed = await start('return await tools.dock.ship()');
    await host.asked(changed.id);
    await host.engine.sources.update(host.owner, 'dock', { timeoutMs: 5_000 });
    await submit(changed.id);
    expect((await host.wait(changed.id)).error?.message).toContain('has changed since it asked');
    expect(dock.received).toHaveLength(2);
  });

  test('hears that nobody answered, and asks to open a page without a form', async () => {
    dock.instead.set('list', async ({ resumed }) =>
      resumed
        ? { type: 'value', value: resumed.answer.type }
        : {
            type: 'question',
            question: { kind: 'elicitation', prompt: 'Sign in', request: { url: 'https://dock.test/in' } },
            state: null,
          },
    );
    const cancelled = await start('return await tools.dock.list()');
    const [asked] = await host.asked(cancelled.id);
    await host.answer(asked?.id ?? '', { action: 'cancel' });
    expect((await host.wait(cancelled.id)).result).toBe('cancelled');
    const opened = await start('return await tools.dock.list()');
    const [page] = await host.asked(opened.id);
    await host.answer(page?.id ?? '', { action: 'submit' });
    expect((await host.wait(opened.id)).result).toBe('submitted');
  });

  test('keeps its state from everyone who reads the events of the run', async () => {
    dock.instead.set('ship', askForSize);
    const { id } = await start('return await tools.dock.ship()');
    await submit(id);
    await host.wait(id);
    const shown: unknown[] = [];
    const stream = await host.engine.executions.events(
      host.owner,
      id,
      { follow: false },
      new AbortController().signal,
    );
    for await (const event of stream) shown.push(event);
    expect(JSON.stringify(shown)).toContain('Which size?');
    expect(JSON.stringify(shown)).not.toContain('parcel\\":7');
  });
});

describe('A call that reports', () => {
  test('has its progress and messages as events of the run, without secrets and without end', async () => {
    await host.engine.sources.update(host.owner, 'dock', {
      auth: { type: 'bearer', token: 'very-secret-token' },
    });
    dock.instead.set('list', async ({ progress, log }) => {
      progress({ done: 1, total: 3, message: 'packed' });
      progress({ done: 2, total: 3 });
      progress({ done: 3, total: 3 });
      log({ level: 'info', text: 'uses very-secret-token' });
      for (let count = 0; count < 500; count++) log({ level: 'debug', text: 'x'.repeat(5_000) });
      return { type: 'value', value: null };
    });
    const { id } = await host.run('return await tools.dock.list()');
    const events = await eventsOf(id);
    const progress = events.filter(({ type }) => type === 'call.progress');
    expect(progress).toMatchObject([{ index: 0, done: 1, total: 3, message: 'packed' }, { done: 3 }]);
    const lines = events.flatMap((event) => (event.type === 'call.log' ? [event.text] : []));
    expect(lines[0]).toBe('uses [secret]');
    expect(lines).toHaveLength(101);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1_100);
    expect(lines.at(-1)).toBe('Further messages of this call are not kept.');
  });

  /** Reports all the time until it returns, if it ever does. */
  const beat =
    (until: number) =>
    ({ progress }: Invocation, signal: AbortSignal): Promise<InvocationOutcome> => {
      const end = performance.now() + until;
      return new Promise((resolve, reject) => {
        const timer = setInterval(() => {
          progress({ done: performance.now() });
          if (performance.now() > end) finish(() => resolve({ type: 'value', value: 'late' }));
        }, 20);
        const finish = (act: () => void) => {
          clearInterval(timer);
          act();
        };
        signal.addEventListener('abort', () => finish(() => reject(signal.reason)), { once: true });
      });
    };

  test.each(['list', 'ship'])('may take longer than its timeout: %s', async (name) => {
    dock.limits = { timeoutMs: 1_500 };
    dock.instead.set(name, beat(2_500));
    expect((await host.run(`return await tools.dock.${name}()`)).result).toBe('late');
  });

  test.each(['list', 'ship'])('ends after the maximum in spite of its reports: %s', async (name) => {
    dock.limits = { timeoutMs: 300, maxMs: 600 };
    dock.instead.set(name, beat(Number.POSITIVE_INFINITY));
    const run = await host.run(`return await tools.dock.${name}()`);
    expect(run.error?.message).toContain('did not answer within');
  });
});
