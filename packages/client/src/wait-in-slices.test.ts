import { type Execution, ExecutorError } from '@executor/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitInSlices } from './wait-in-slices.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const run = (status: Execution['status']) => ({ id: 'exe_1', status }) as Execution;

/** A server whose run ends at a fixed time. It responds then, or when the requested wait is over. */
function server(endsAfterMs: number) {
  const endsAt = performance.now() + endsAfterMs;
  const asked: number[] = [];
  const answer = async (waitMs: number) => {
    asked.push(waitMs);
    const left = Math.max(0, endsAt - performance.now());
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, left)));
    return run(left <= waitMs ? 'completed' : 'running');
  };
  return { asked, waiting: { start: answer, waitAgain: (_: string, waitMs: number) => answer(waitMs) } };
}

async function finish<Result>(work: Promise<Result>): Promise<Result> {
  const settled = work.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  // Programs of other tests in this process may keep timers, so these do not run until none is left.
  await vi.advanceTimersByTimeAsync(900_000);
  const outcome = await settled;
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

test('A wait of five minutes is divided into short requests until the run ends', async () => {
  const { asked, waiting } = server(120_000);
  expect(await finish(waitInSlices(300_000, waiting))).toEqual(run('completed'));
  expect(asked).toEqual([50_000, 50_000, 50_000]);
});

test('A wait is not longer than requested', async () => {
  const { asked, waiting } = server(600_000);
  expect(await finish(waitInSlices(120_000, waiting))).toEqual(run('running'));
  expect(asked).toEqual([50_000, 50_000, 20_000]);
  const none = server(600_000);
  expect(await finish(waitInSlices(0, none.waiting))).toEqual(run('running'));
  expect(none.asked).toEqual([0]);
});

test('An early response is final, because the run needs a person', async () => {
  const waitAgain = vi.fn();
  expect(await finish(waitInSlices(300_000, { start: async () => run('waiting'), waitAgain }))).toEqual(
    run('waiting'),
  );
  expect(waitAgain).not.toHaveBeenCalled();
});

test('If the server is down or full meanwhile, the last known state is returned', async () => {
  const failing = (code: ExecutorError['code']) => ({
    ...server(600_000).waiting,
    waitAgain: async () => Promise.reject(new ExecutorError(code, 'Away.')),
  });
  for (const code of ['noServer', 'timeout', 'tooManyWaits'] as const)
    expect(await finish(waitInSlices(300_000, failing(code)))).toEqual(run('running'));
  const refused = finish(waitInSlices(300_000, failing('unauthenticated')));
  await expect(refused).rejects.toMatchObject({ code: 'unauthenticated' });
});
