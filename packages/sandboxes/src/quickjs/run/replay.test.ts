import type { Completion, SandboxCall, SandboxHooks } from '@executor/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtFolder } from '../../../test/built-folder.ts';
import { randomScript, seededRandom } from '../../../test/random-script.ts';
import { answerWith, ending, type Recording, record, recorded } from '../../sandbox.suite.ts';
import { createQuickJsSandbox, type QuickJsSandbox } from '../sandbox.ts';

/**
 * Records random scripts with answers in random order, then rebuilds them from every prefix of their completions. A rebuilt run must
 * continue exactly like the recorded one.
 */
const long = process.env.EXECUTOR_TEST_LONG === '1';
const scripts = long ? 1_000 : 14;
const firstSeed = long ? Number(process.env.EXECUTOR_TEST_SEED ?? Date.now() % 1e9) : 1;

let sandbox: QuickJsSandbox;
beforeAll(async () => {
  sandbox = await createQuickJsSandbox({ folder: builtFolder });
});
afterAll(() => sandbox.close());

test(`${scripts} random scripts continue identically from every prefix (seed ${firstSeed})`, {
  timeout: 3_600_000,
}, async () => {
  let replays = 0;
  for (let seed = firstSeed; seed < firstSeed + scripts; seed++) {
    const script = randomScript(seed);
    const whole = await recordShuffled(script, seed);
    expect(whole.outcome.type, script).toBeOneOf(['returned', 'threw']);
    const prefixes = Array.from({ length: whole.completions.length + 1 }, (_, length) => length);
    await Promise.all(prefixes.map((length) => expectSameFrom(script, seed, whole, length)));
    replays += prefixes.length;
  }
  expect(replays).toBeGreaterThan(scripts * 3);
});

test('a wrong seed, a shifted clock and swapped completions are detected', {
  timeout: 3_600_000,
}, async () => {
  const caught = { seed: 0, clock: 0, swap: 0 };
  for (let seed = firstSeed; seed < firstSeed + scripts / 2; seed++) {
    const script = randomScript(seed);
    const whole = await recordShuffled(script, seed);
    const history = { calls: recorded(whole.calls), completions: whole.completions };
    if (whole.outcome.type !== 'returned' || history.completions.length < 5) continue;
    if (notedIn(whole).length < 2) continue;
    const mutations = {
      seed: { seed: 'wrong', history },
      clock: { seed: String(seed), history: { ...history, completions: history.completions.map(later) } },
      swap: {
        seed: String(seed),
        history: { ...history, completions: swapped(whole) },
      },
    };
    for (const [name, options] of Object.entries(mutations)) {
      const { outcome } = await record(sandbox, script, options);
      if (outcome.type === 'nondeterminism') caught[name as keyof typeof caught] += 1;
      else expect(ending(outcome), `${name}: ${script}`).not.toEqual(ending(whole.outcome));
    }
  }
  expect(Math.min(caught.seed, caught.clock, caught.swap)).toBeGreaterThan(scripts / 5);
});

test('garbage collection is the same from every prefix', async () => {
  const script = `let gone = 0; const refs = [];
    const registry = new FinalizationRegistry(() => { gone += 1 });
    for (let i = 0; i < 8; i++) {
      for (let j = 0; j < 4000; j++) { const a = { text: 'x'.repeat(50) }; a.self = a; registry.register(a, j); if (j % 500 === 0) refs.push(new WeakRef(a)) }
      await tools.a.b({ i, gone, left: refs.filter((ref) => ref.deref()).length }).catch(() => {});
    }
    return gone`;
  const whole = await recordShuffled(script, 1);
  expect(whole.outcome).toMatchObject({ type: 'returned', json: expect.stringMatching(/^[1-9]/) });
  for (const length of [0, 3, 6, 8]) await expectSameFrom(script, 1, whole, length);
});

/** Answers calls in random order, each after it was made. */
function recordShuffled(script: string, seed: number): Promise<Recording> {
  const random = seededRandom(seed);
  const waiting: (() => void)[] = [];
  let at = 1_000;
  const answerOne = () => {
    at += Math.floor(random() * 50);
    waiting.splice(Math.floor(random() * waiting.length), 1)[0]?.();
    if (waiting.length > 0) setImmediate(answerOne);
  };
  return record(sandbox, script, {
    seed: String(seed),
    onCall(call, complete) {
      if (waiting.length === 0) setImmediate(answerOne);
      waiting.push(() => complete(answerFor(call, seed, at)));
    },
  });
}

function answerFor(call: SandboxCall, seed: number, at: number): Completion {
  const failed = (call.index * 7 + seed) % 5 === 0;
  if (!failed) return answerWith(call, { v: call.index * 31 + seed }, at);
  return {
    index: call.index,
    at,
    result: { type: 'error', name: 'ToolError', message: `failed ${call.index}` },
  };
}

async function expectSameFrom(script: string, seed: number, whole: Recording, length: number): Promise<void> {
  const history = { calls: recorded(whole.calls), completions: whole.completions.slice(0, length) };
  const again = await record(sandbox, script, {
    seed: String(seed),
    history,
    onCall: inOrder(whole.completions.slice(length)),
  });
  expect(ending(again.outcome), script).toEqual(ending(whole.outcome));
  // A run that ends on one completion may have received more.
  expect(again.completions, script).toEqual(
    whole.completions.slice(length, length + again.completions.length),
  );
  const answered = new Set(history.completions.map(({ index }) => index));
  expect(again.calls, script).toEqual(whole.calls.filter(({ index }) => !answered.has(index)));
  expect(whole.logs.slice(-again.logs.length || whole.logs.length), script).toEqual(again.logs);
}

/** Answers in the recorded order, each when its call was made. */
function inOrder(completions: Completion[]): SandboxHooks['onCall'] {
  const open = new Map<number, (completion: Completion) => void>();
  let next = 0;
  return (call, complete) => {
    open.set(call.index, complete);
    for (let due = completions[next]; due && open.has(due.index); due = completions[next]) {
      next += 1;
      open.get(due.index)?.(due);
    }
  };
}

function later(completion: Completion): Completion {
  return { ...completion, at: completion.at + 1 };
}

/** Swaps the first two answers that the script records. */
function swapped(whole: Recording): Completion[] {
  const [first, second] = notedIn(whole) as [Completion, Completion];
  return whole.completions.map((completion) => {
    if (completion === first) return { ...second, at: first.at };
    return completion === second ? { ...first, at: second.at } : completion;
  });
}

function notedIn({ completions, calls }: Recording): Completion[] {
  return completions.filter(({ index }) => calls[index]?.path.startsWith('t.'));
}
