import type {
  Completion,
  LogLine,
  RecordedCall,
  Sandbox,
  SandboxCall,
  SandboxHistory,
  SandboxHooks,
  SandboxLimits,
  SandboxOutcome,
} from '@executor/engine';
import { sleepPath } from '@executor/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** The contract of every sandbox. Called with a factory. */
export function describeSandbox(name: string, create: () => Promise<Sandbox & { close(): void }>): void {
  describe(name, () => {
    let sandbox: Sandbox & { close(): void };
    beforeAll(async () => {
      sandbox = await create();
    });
    afterAll(() => sandbox.close());

    describe('outcomes', () => {
      test('a value that the code returns is JSON', async () => {
        expect(await outcomeOf(sandbox, 'return { a: [1, "x", null, true] }')).toMatchObject({
          type: 'returned',
          json: '{"a":[1,"x",null,true]}',
        });
      });

      test('a thrown error has its position in the code', async () => {
        const outcome = await outcomeOf(sandbox, 'const a = 1;\n  throw new RangeError("too far");');
        expect(outcome).toMatchObject({
          type: 'threw',
          error: { name: 'RangeError', message: 'too far', line: 2, reason: 'thrown' },
        });
      });

      test('endless code is stopped, and the outcome has its usage and its limit', async () => {
        const outcome = await outcomeOf(sandbox, 'for (;;);', { limits: { cpuMs: 200 } });
        expect(outcome).toMatchObject({ type: 'timedOut', allowed: { cpuMs: 200 } });
        expect(outcome.usage.cpuMs).toBeGreaterThanOrEqual(200);
      });

      test('CPU time of calls is charged once, and not again when the run is rebuilt', async () => {
        const answer = async (call: SandboxCall) => ({ ...answerWith(call, 1), cpuMs: 3_000 });
        const limits = { cpuMs: 10_000 };
        const endless = await outcomeOf(sandbox, 'for (;;) await tools.x.one()', { answer, limits });
        expect(endless).toMatchObject({ type: 'timedOut', allowed: limits, usage: { calls: 4 } });
        const code = 'for (let n = 0; n < 3; n++) await tools.x.one(); return 1';
        const whole = await record(sandbox, code, { answer, limits });
        expect(whole.outcome.usage.cpuMs).toBeGreaterThanOrEqual(9_000);
        const history = { calls: recorded(whole.calls), completions: whole.completions };
        const again = await record(sandbox, code, { history, limits: { cpuMs: 3_000 } });
        expect(again.outcome).toMatchObject({ type: 'returned' });
      });

      test('code that exceeds its memory limit is stopped', async () => {
        const outcome = await outcomeOf(sandbox, 'const a = []; for (;;) a.push(new Array(1000).fill(1));');
        expect(outcome).toMatchObject({ type: 'outOfMemory', allowed: { memoryBytes: 64 * 1024 * 1024 } });
      });

      test('an aborted run is cancelled, before it starts and while it waits', async () => {
        expect(await outcomeOf(sandbox, 'return 1', {}, AbortSignal.abort())).toMatchObject({
          type: 'cancelled',
        });
        const controller = new AbortController();
        const run = outcomeOf(
          sandbox,
          'await tools.never.answers()',
          { answer: () => new Promise(() => {}) },
          controller.signal,
        );
        setTimeout(() => controller.abort(), 50);
        expect(await run).toMatchObject({ type: 'cancelled' });
      });

      test('an unhandled rejection and a promise that nothing can settle have different errors', async () => {
        expect(await outcomeOf(sandbox, 'Promise.reject(new Error("lost")); await sleep(1e9)')).toMatchObject(
          {
            type: 'threw',
            error: { reason: 'unhandled', message: 'lost' },
          },
        );
        expect(await outcomeOf(sandbox, 'await new Promise(() => {})')).toMatchObject({
          type: 'threw',
          error: { reason: 'unsettled' },
        });
      });

      test('code with a syntax error is rejected with its position before anything runs', async () => {
        expect(await sandbox.compile('const a = 1;\nconst b = ;')).toMatchObject({
          type: 'rejected',
          error: { reason: 'syntax', line: 2, column: 11 },
        });
      });

      test('a result or a call beyond its limit ends the code with an error', async () => {
        const limits = { calls: 2, resultBytes: 10 };
        expect(await outcomeOf(sandbox, 'return "x".repeat(20)', { limits })).toMatchObject({
          type: 'threw',
          error: { reason: 'limit', message: expect.stringContaining('10 are allowed') },
        });
        const calls = await record(sandbox, 'for (;;) await tools.x.y()', { limits });
        expect(calls.outcome).toMatchObject({ type: 'threw', error: { name: 'LimitError', line: 1 } });
        expect(calls.calls).toHaveLength(2);
      });

      test('waiting costs no CPU time', async () => {
        const outcome = await outcomeOf(sandbox, 'await sleep(300); return 1', {
          limits: { cpuMs: 150 },
          answer: (call) => new Promise((done) => setTimeout(() => done(answerWith(call, null)), 300)),
        });
        expect(outcome).toMatchObject({ type: 'returned', json: '1' });
      });
    });

    describe('calls', () => {
      test('tools.a.b(input) makes a call and returns its answer', async () => {
        const run = await record(sandbox, 'return await tools.github.issues.create({ title: "x" })', {
          answer: async (call) => answerWith(call, { number: 7 }),
        });
        expect(run.outcome).toMatchObject({ type: 'returned', json: '{"number":7}' });
        expect(run.calls).toEqual([
          { index: 0, path: 'github.issues.create', input: '{"title":"x"}', inputHash: expect.any(String) },
        ]);
      });

      test('a failed call throws an error with its name, message and details', async () => {
        const code =
          'try { await tools.a.b() } catch (e) { return [e.name, e.message, e.details, e instanceof ToolDeniedError] }';
        const outcome = await outcomeOf(sandbox, code, {
          answer: async ({ index }) => ({
            index,
            at: 0,
            result: { type: 'error', name: 'ToolDeniedError', message: 'no', details: '{"by":"policy"}' },
          }),
        });
        expect(outcome).toMatchObject({
          type: 'returned',
          json: '["ToolDeniedError","no",{"by":"policy"},true]',
        });
      });

      test('a ToolError has the code and the status of its details', async () => {
        const code =
          'try { await tools.a.b() } catch (e) { return [e.code, e.status, e.details, Object.keys(e)] }';
        const caught = (details?: unknown) =>
          outcomeOf(sandbox, code, {
            answer: async ({ index }) => ({
              index,
              at: 0,
              result: {
                type: 'error',
                name: 'ToolError',
                message: 'no',
                ...(details !== undefined && { details: JSON.stringify(details) }),
              },
            }),
          });
        expect(await caught({ code: 'notFound', status: 404 })).toMatchObject({
          json: '["notFound",404,{"code":"notFound","status":404},["details"]]',
        });
        expect(await caught({ code: { a: 1 }, status: '404' })).toMatchObject({
          json: '[null,null,{"code":{"a":1},"status":"404"},["details"]]',
        });
        expect(await caught('text')).toMatchObject({ json: '[null,null,"text",["details"]]' });
        expect(await caught()).toMatchObject({ json: '[null,null,null,[]]' });
      });

      test('an uncaught failed call points at the line that made it', async () => {
        const outcome = await outcomeOf(sandbox, 'const a = 1;\nawait tools.a.b();', {
          answer: async ({ index }) => ({
            index,
            at: 0,
            result: { type: 'error', name: 'ToolError', message: 'no' },
          }),
        });
        expect(outcome).toMatchObject({ type: 'threw', error: { name: 'ToolError', line: 2 } });
      });

      test('timers are calls, and a cleared timer is abandoned', async () => {
        const code = 'const t = setTimeout(() => {}, 1e9); clearTimeout(t); await sleep(5); return "done"';
        const run = await record(sandbox, code);
        expect(run.outcome).toMatchObject({ type: 'returned', json: '"done"' });
        expect(run.calls.map(({ path, input }) => [path, input])).toEqual([
          [sleepPath, '{"ms":1000000000}'],
          [sleepPath, '{"ms":5}'],
        ]);
        expect(run.abandoned).toEqual([0]);
      });

      test('the clock changes only at deliveries, to the time of each', async () => {
        const code =
          'const a = Date.now(); await sleep(1); const b = Date.now(); await sleep(1); return [a, b, Date.now()]';
        const outcome = await outcomeOf(sandbox, code, {
          epoch: 5_000,
          answer: async (call) => answerWith(call, null, call.index === 0 ? 9_000 : 7_000),
        });
        expect(outcome).toMatchObject({ json: '[5000,9000,9000]' });
      });

      test('onRest is called when the code can only wait, not while it computes or is rebuilt', async () => {
        const events: string[] = [];
        const answers: (() => void)[] = [];
        const compilation = await sandbox.compile(`
          const first = tools.x.first();
          for (const end = 3e6, i = { n: 0 }; i.n < end; i.n++);
          const second = tools.x.second();
          await first;
          return await second;`);
        if (compilation.type === 'rejected') throw new Error(compilation.error.message);
        const run = (history?: SandboxHistory) =>
          sandbox.run(
            { program: compilation.program, seed: 's', epoch: 1_000, ...(history && { history }) },
            {
              onCall(call, complete) {
                events.push(call.path);
                answers.push(() => complete(answerWith(call, 1)));
              },
              onDeliver: ({ index }) => void events.push(`delivered ${index}`),
              onRest({ calls, cpuMs }) {
                events.push(`rests after ${calls} calls${cpuMs > 0 ? '' : ', for free'}`);
                answers.shift()?.();
              },
            },
          );
        expect(await run()).toMatchObject({ type: 'returned' });
        const end = ['rests after 2 calls', 'delivered 1'];
        expect(events).toEqual(['x.first', 'x.second', 'rests after 2 calls', 'delivered 0', ...end]);
        const { calls } = await record(sandbox, compilation.program.source);
        events.length = 0;
        await run({ calls: recorded(calls), completions: [answerWith(calls[0] as SandboxCall, 1)] });
        expect(events).toEqual(['x.second', 'rests after 2 calls, for free', 'delivered 1']);
      });

      test('log lines arrive in order with their level', async () => {
        const code = 'console.log("a", { b: 1 }); console.error("c"); console.log(tools, [tools.x.y])';
        const { logs } = await record(sandbox, code);
        expect(logs.map(({ index, level, text }) => [index, level, text])).toEqual([
          [0, 'log', 'a { b: 1 }'],
          [1, 'error', 'c'],
          [2, 'log', '[tools] [[tools.x.y]]'],
        ]);
      });
    });

    describe('replay', () => {
      const code = `
        const rolls = [Math.random(), crypto.randomUUID()];
        const [a, b] = await Promise.all([tools.x.one({ rolls }), tools.x.two({ at: Date.now() })]);
        const c = await tools.x.three({ a, b, now: Date.now(), roll: Math.random() });
        return [a, b, c, Math.random(), Date.now()];`;

      test('a run continued after any completion makes the same calls and ends the same', async () => {
        const whole = await record(sandbox, code);
        expect(whole.outcome.type).toBe('returned');
        for (let length = 0; length <= whole.completions.length; length++) {
          const history = { calls: recorded(whole.calls), completions: whole.completions.slice(0, length) };
          const again = await record(sandbox, code, { history });
          expect(ending(again.outcome)).toEqual(ending(whole.outcome));
          expect([...history.completions, ...again.completions]).toEqual(whole.completions);
        }
      });

      test('a run of thousands of completions is rebuilt', async () => {
        const long = 'let n = 0; for (let i = 0; i < 3000; i++) n += (await tools.x.y({ i })).v; return n';
        const answer = async (call: SandboxCall) => answerWith(call, { v: 1, text: 'ä€😀' });
        const whole = await record(sandbox, long, { answer });
        const history = { calls: recorded(whole.calls), completions: whole.completions };
        const again = await record(sandbox, long, { history, answer });
        expect(ending(again.outcome)).toEqual(ending(whole.outcome));
        expect(again.outcome).toMatchObject({ type: 'returned', json: '3000' });
      });

      test('a call that differs from the recorded one is nondeterminism, and the outcome has both', async () => {
        const whole = await record(sandbox, code);
        const calls = recorded(whole.calls);
        calls[2] = { path: 'x.other', inputHash: 'h' };
        const outcome = await outcomeOf(sandbox, code, {
          history: { calls, completions: whole.completions },
        });
        expect(outcome).toMatchObject({
          type: 'nondeterminism',
          index: 2,
          recorded: { path: 'x.other', inputHash: 'h' },
          made: { path: 'x.three' },
        });
      });

      test('a recorded call that is never made is nondeterminism', async () => {
        const history = { calls: [{ path: 'x.one', inputHash: 'h' }], completions: [] };
        const outcome = await outcomeOf(sandbox, 'return 1', { history });
        expect(outcome).toMatchObject({ type: 'nondeterminism', index: 0, recorded: { path: 'x.one' } });
      });

      test('only log lines that are not in the history are reported', async () => {
        const chatty =
          'console.log("a"); await tools.x.one(); console.log("b"); await tools.x.two(); console.log("c")';
        const whole = await record(sandbox, chatty);
        const history = { calls: recorded(whole.calls), completions: whole.completions.slice(0, 2) };
        const again = await record(sandbox, chatty, { history: { ...history, logLines: 1 } });
        expect(again.logs.map(({ text }) => text)).toEqual(['b', 'c']);
      });
    });
  });
}

export interface RunOptions {
  answer?: (call: SandboxCall) => Promise<Completion>;
  /** Used instead of `answer` where the order matters. */
  onCall?: SandboxHooks['onCall'];
  history?: SandboxHistory;
  limits?: Partial<SandboxLimits>;
  owner?: string;
  seed?: string;
  epoch?: number;
}

export interface Recording {
  outcome: SandboxOutcome;
  calls: SandboxCall[];
  completions: Completion[];
  abandoned: number[];
  logs: LogLine[];
}

/** Runs code to its end and records its calls, completions and logs. */
export async function record(
  sandbox: Sandbox,
  source: string,
  options: RunOptions = {},
  signal?: AbortSignal,
): Promise<Recording> {
  const seen = {
    calls: [] as SandboxCall[],
    completions: [] as Completion[],
    abandoned: [] as number[],
    logs: [] as LogLine[],
  };
  const compilation = await sandbox.compile(source);
  if (compilation.type === 'rejected') throw new Error(JSON.stringify(compilation.error));
  const {
    answer = async (call) => answerWith(call, { echo: call.path }),
    history,
    limits,
    owner,
    seed = 's',
    epoch = 1_000,
  } = options;
  const request = {
    program: compilation.program,
    seed,
    epoch,
    ...(history && { history }),
    ...(limits && { limits }),
    ...(owner !== undefined && { owner }),
  };
  const hooks = {
    onCall(call: SandboxCall, complete: (completion: Completion) => void) {
      seen.calls.push(call);
      if (options.onCall) options.onCall(call, complete);
      else void answer(call).then(complete);
    },
    onDeliver: (completion: Completion) => void seen.completions.push(completion),
    onAbandon: (index: number) => void seen.abandoned.push(index),
    onLog: (line: LogLine) => void seen.logs.push(line),
  };
  return { ...seen, outcome: await sandbox.run(request, hooks, signal) };
}

export async function outcomeOf(
  sandbox: Sandbox,
  source: string,
  options: RunOptions = {},
  signal?: AbortSignal,
): Promise<SandboxOutcome> {
  return (await record(sandbox, source, options, signal)).outcome;
}

export function answerWith({ index }: SandboxCall, value: unknown, at = 1_000 + 10 * index): Completion {
  return { index, at, result: { type: 'value', json: JSON.stringify(value) } };
}

export function recorded(calls: SandboxCall[]): RecordedCall[] {
  return calls.map(({ path, inputHash }) => ({ path, inputHash }));
}

/** An outcome without its usage, which depends on the machine. */
export function ending({ usage: _usage, ...outcome }: SandboxOutcome): Omit<SandboxOutcome, 'usage'> {
  return outcome;
}
