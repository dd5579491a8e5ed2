import type { Completion, SandboxCall } from '@executor/engine';
import { sleepPath } from '@executor/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtFolder } from '../../../test/built-folder.ts';
import { answerWith, ending, outcomeOf, record, recorded } from '../../sandbox.suite.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from '../sandbox.ts';

let sandbox: QuickJsSandbox;
beforeAll(async () => {
  sandbox = await createQuickJsSandbox({ folder: builtFolder });
});
afterAll(() => sandbox.close());

const never = () => new Promise<Completion>(() => {});
const failing = ({ index }: SandboxCall, name = 'ToolError'): Completion => ({
  index,
  at: 1_000,
  result: { type: 'error', name, message: 'no' },
});
/** Calls whose path ends with `hangs` and timers of a day are never answered. */
const answer = async (call: SandboxCall) => {
  if (call.path.endsWith('hangs') || call.input === '{"ms":86400000}') return never();
  if (call.path.endsWith('fails')) return failing(call);
  if (call.path.endsWith('denied')) return failing(call, 'ToolDeniedError');
  return answerWith(call, { echo: call.path });
};
const run = (code: string) => record(sandbox, code, { answer });
const paths = ({ calls }: { calls: SandboxCall[] }) => calls.map(({ path }) => path);
const day = 86_400_000;

describe('a run waits for calls that its code did not await', () => {
  test('and for the calls that the code makes when they settle', async () => {
    const code = `const list = [1, 2];
      list.forEach(async (n) => {
        await tools.x.first({ n });
        await sleep(5);
        await tools.x.second({ n });
      });
      return 'done'`;
    const { outcome, completions, calls } = await run(code);
    expect(ending(outcome)).toEqual({
      type: 'returned',
      json: '"done"',
      unawaited: [
        { path: 'x.first', line: 3, outcome: 'succeeded' },
        { path: 'x.first', line: 3, outcome: 'succeeded' },
        { path: 'x.second', line: 5, outcome: 'succeeded' },
        { path: 'x.second', line: 5, outcome: 'succeeded' },
      ],
    });
    expect(completions).toHaveLength(calls.length);
  });

  test('and the result stays as it was when the code returned', async () => {
    const code = 'const seen = []; (async () => seen.push(await tools.x.one()))(); return seen';
    const { outcome, completions } = await run(code);
    expect(outcome).toMatchObject({ type: 'returned', json: '[]' });
    expect(completions).toHaveLength(1);
  });

  test('and an awaited call is not listed', async () => {
    const { outcome } = await run('await tools.x.one(); return 1');
    expect(ending(outcome)).toEqual({ type: 'returned', json: '1' });
  });

  test('and calls that fail or are denied do not change the outcome', async () => {
    const code = `tools.x.fails();
      tools.x.denied().catch(() => {});
      return 1`;
    expect(ending((await run(code)).outcome)).toEqual({
      type: 'returned',
      json: '1',
      unawaited: [
        { path: 'x.fails', line: 1, outcome: 'failed', message: 'no' },
        { path: 'x.denied', line: 2, outcome: 'denied', message: 'no' },
      ],
    });
  });

  test('and an error of the code after its return is logged', async () => {
    const code = `(async () => { const r = await tools.x.one(); r.missing.field })();
      setTimeout(() => { throw new Error('late') }, 1);
      (async () => { await sleep(1); await sleep(1) })();
      return 1`;
    const { outcome, logs } = await run(code);
    expect(outcome).toMatchObject({ type: 'returned', json: '1' });
    expect(logs.map(({ level, text }) => [level, text.split(' (')[0]])).toEqual([
      ['error', expect.stringMatching(/^After the code had returned: TypeError: cannot read/)],
      ['error', 'After the code had returned: Error: late'],
    ]);
  });

  test('and the limit of calls holds', async () => {
    const code = `(async () => { for (;;) await tools.x.again() })(); return 1`;
    const { outcome, calls, logs } = await record(sandbox, code, { answer, limits: { calls: 5 } });
    expect(outcome).toMatchObject({ type: 'returned', json: '1' });
    expect(calls).toHaveLength(5);
    expect(logs.at(-1)?.text).toContain('LimitError: A run may make 5 calls');
  });

  test('and the limit of CPU time holds', async () => {
    const code = '(async () => { await tools.x.one(); for (;;); })(); return 1';
    expect(await outcomeOf(sandbox, code, { answer, limits: { cpuMs: 200 } })).toMatchObject({
      type: 'timedOut',
    });
  });

  test('and the list of them is bounded and keeps failures', async () => {
    const code = `for (let n = 0; n < 500; n++) tools.x.one({ n }); tools.x.fails(); return 1`;
    const { outcome, logs } = await run(code);
    const { unawaited = [] } = outcome as { unawaited?: { outcome: string }[] };
    expect(unawaited).toHaveLength(101);
    expect(unawaited.at(-1)?.outcome).toBe('failed');
    expect(logs.at(-1)?.text).toBe('400 more calls were not awaited. They are not listed.');
  });
});

describe('a run does not wait', () => {
  test('for timers, which are listed', async () => {
    const code = `setTimeout(() => tools.x.late(), ${day});
      setInterval(() => tools.x.tick(), ${day});
      return 1`;
    const { outcome, calls } = await run(code);
    expect(ending(outcome)).toEqual({
      type: 'returned',
      json: '1',
      unawaited: [
        { path: 'setTimeout', line: 1, outcome: 'pending' },
        { path: 'setInterval', line: 2, outcome: 'pending' },
      ],
    });
    expect(calls.map(({ path }) => path)).toEqual([sleepPath, sleepPath]);
  });

  test('for an interval that makes calls while another call is open', async () => {
    const code = `setInterval(() => tools.x.tick(), 1);
      (async () => { for (let n = 0; n < 20; n++) await tools.x.one({ n }) })();
      return 1`;
    const { outcome, calls } = await run(code);
    expect(outcome).toMatchObject({ type: 'returned', json: '1' });
    expect(calls.filter(({ path }) => path === 'x.tick').length).toBeLessThan(2);
    expect((outcome as { unawaited?: unknown[] }).unawaited).toContainEqual({
      path: 'setInterval',
      line: 1,
      outcome: 'pending',
    });
  });

  test.each(['race', 'any'])('for calls that lost a Promise.%s', async (method) => {
    const code = `const first = await Promise.${method}([tools.x.hangs(), tools.x.one(), sleep(${day})]);
      return first.echo`;
    expect(ending((await run(code)).outcome)).toEqual({ type: 'returned', json: '"x.one"' });
  });

  test('for calls that lost a race, while it waits for others: they are abandoned', async () => {
    const code = `await Promise.race([tools.x.hangs(), tools.x.one()]);
      (async () => { await tools.x.two(); await tools.x.three() })();
      return 1`;
    const { outcome, abandoned } = await run(code);
    expect(outcome).toMatchObject({ unawaited: [{ path: 'x.two' }, { path: 'x.three' }] });
    expect(abandoned).toEqual([0]);
  });

  test('for a call that loses a race after the return', async () => {
    const code = `(async () => { await Promise.race([tools.x.hangs(), sleep(1)]); await tools.x.after() })(); return 1`;
    const { outcome } = await run(code);
    expect(outcome).toMatchObject({ unawaited: [{ path: 'x.after', outcome: 'succeeded' }] });
  });

  test('for lost races of a pool, but for the calls that the pool uses again', async () => {
    const code = `const pool = new Set();
      (async () => {
        for (let n = 0; n < 10; n++) {
          const call = n % 3 === 0 ? tools.x.slow({ n }) : tools.x.one({ n });
          pool.add(call);
          call.finally(() => pool.delete(call));
          if (pool.size >= 3) await Promise.race(pool);
        }
        await Promise.all(pool);
        await tools.x.last();
      })();
      return 1`;
    const slow: (() => void)[] = [];
    const { outcome, abandoned } = await record(sandbox, code, {
      onCall(call, complete) {
        const send = () => complete(answerWith(call, 1));
        if (call.path === 'x.slow') slow.push(send);
        else send();
        if (call.input === '{"n":9}' || slow.length === 3) for (const late of slow.splice(0)) late();
      },
    });
    const { unawaited = [] } = outcome as { unawaited?: { path: string }[] };
    expect(abandoned).toEqual([]);
    expect(unawaited).toHaveLength(11);
    expect(unawaited.at(-1)?.path).toBe('x.last');
  });

  test('after the code threw', async () => {
    const { outcome } = await run('tools.x.hangs(); throw new Error("stop")');
    expect(outcome).toMatchObject({ type: 'threw', error: { message: 'stop' } });
  });

  test('after a rejection that nothing handled before the return', async () => {
    const { outcome } = await run('tools.x.hangs(); Promise.reject(new Error("lost")); return 1');
    expect(outcome).toMatchObject({ type: 'threw', error: { reason: 'unhandled', message: 'lost' } });
  });

  test('if its program is of an earlier version', async () => {
    const compilation = await sandbox.compile('tools.x.hangs(); return 1');
    if (compilation.type !== 'compiled') throw new Error('It does not compile.');
    const { drains: _, ...program } = compilation.program;
    const outcome = await sandbox.run({ program, seed: 's', epoch: 1 }, { onCall() {} });
    expect(ending(outcome)).toEqual({ type: 'returned', json: '1' });
  });
});

describe('the combinators of Promise', () => {
  test('behave as the built-in functions', async () => {
    const code = `const out = [];
      out.push(await Promise.race([1, tools.x.one()]));
      out.push(await Promise.any([Promise.reject(new Error('a')), tools.x.one()]).then((r) => r.echo));
      out.push(await Promise.any([tools.x.fails()]).catch((e) => e.name));
      out.push(await Promise.race([tools.x.fails()]).catch((e) => e.name));
      out.push(await Promise.race(5).catch((e) => e.name));
      out.push(await Promise.race(new Set([Promise.resolve('set')])));
      class Sub extends Promise {}
      out.push(Sub.race([1]) instanceof Sub, Promise.race.name, Promise.all.name);
      out.push((await Promise.all([1, tools.x.one()])).length, (await Promise.allSettled([tools.x.fails()]))[0].status);
      out.push(await Promise.all([tools.x.fails()]).catch((e) => e.name), await Promise.all(5).catch((e) => e.name));
      return out`;
    const json =
      '[1,"x.one","AggregateError","ToolError","TypeError","set",true,"race","all",2,"rejected","ToolError","TypeError"]';
    expect(await outcomeOf(sandbox, code, { answer })).toMatchObject({ type: 'returned', json });
  });

  test('do not handle the rejections of calls', async () => {
    const code = 'Promise.race([tools.x.fails()]); await sleep(1); await sleep(1); return 1';
    const outcome = await outcomeOf(sandbox, code, { answer });
    expect(outcome).toMatchObject({ type: 'threw', error: { reason: 'unhandled', name: 'ToolError' } });
  });
});

describe('replay', () => {
  const code = `const timer = setTimeout(() => {}, ${day});
    await Promise.race([tools.x.hangs(), tools.x.one()]);
    [1, 2, 3].forEach(async (n) => {
      await tools.x.first({ n, at: Date.now() });
      const slow = tools.x.hangs({ n });
      await Promise.race([slow, sleep(n)]);
      if (n === 2) throw new Error('late ' + n);
      await tools.x.second({ n, roll: Math.random() });
    });
    return 'fixed'`;

  test('a run is the same from every completion, also while it drains', async () => {
    const whole = await run(code);
    expect(whole.outcome).toMatchObject({ type: 'returned', json: '"fixed"' });
    expect(paths(whole).filter((path) => path === 'x.second')).toHaveLength(2);
    for (let length = 0; length <= whole.completions.length; length++) {
      const history = { calls: recorded(whole.calls), completions: whole.completions.slice(0, length) };
      const again = await record(sandbox, code, { answer, history });
      expect(ending(again.outcome)).toEqual(ending(whole.outcome));
    }
  });

  test('a VM whose memory was kept drains to the same end', async () => {
    const small = await createQuickJsSandbox({ folder: builtFolder, vms: 1 });
    const open: (() => void)[] = [];
    const onCall = (call: SandboxCall, complete: (completion: Completion) => void) => {
      open.push(() => complete(answerWith(call, 1)));
    };
    const draining = record(
      small,
      '(async () => { await tools.x.one(); await tools.x.two() })(); return [1]',
      {
        onCall,
      },
    );
    await expect.poll(() => open.length).toBe(1);
    // Another run takes the place of the VM.
    expect(await outcomeOf(small, 'return 2')).toMatchObject({ json: '2' });
    open.shift()?.();
    await expect.poll(() => open.length).toBe(1);
    open.shift()?.();
    expect((await draining).outcome).toMatchObject({
      json: '[1]',
      unawaited: [{ path: 'x.one' }, { path: 'x.two' }],
    });
    small.close();
  });
});
