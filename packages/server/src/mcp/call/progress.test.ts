import type { Engine } from '@executor/engine';
import type { Principal } from '@executor/protocol';
import type { ServerContext } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reportProgress } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Reports the events that the test sends. */
function reported() {
  const reports: unknown[] = [];
  const sent: object[] = [];
  let wake = () => {};
  async function* events(signal: AbortSignal) {
    while (!signal.aborted) {
      yield* sent.splice(0);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const executions = { events: async (...args: unknown[]) => events(args[3] as AbortSignal) };
  const mcpReq = {
    _meta: { progressToken: 7 },
    notify: async ({ params }: { params: object }) => reports.push(params),
  };
  const stop = reportProgress(
    { executions } as unknown as Engine,
    { principal: {} as Principal, executionId: 'exe_1' },
    { mcpReq } as unknown as ServerContext,
  );
  const send = async (type: string, data: object) => {
    sent.push({ type, data });
    wake();
    await vi.advanceTimersByTimeAsync(300);
  };
  return { reports, send, stop };
}

test('A call is reported, and again with the time while nothing happens', async () => {
  const { reports, send, stop } = reported();
  await send('call.requested', { path: 'notes.list' });
  await send('call.requested', { path: 'notes.add' });
  await send('interaction.requested', { prompt: 'Allow notes.add (write)?' });
  await vi.advanceTimersByTimeAsync(11_000);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  const messages = reports.map((report) => (report as { message: string }).message);
  expect(messages.slice(0, 3)).toEqual([
    'Call 1: notes.list',
    'Call 2: notes.add',
    'Waiting for your user: Allow notes.add (write)?',
  ]);
  expect(messages.slice(3)).toEqual([
    expect.stringMatching(/^Waiting for your user: .* \(after 6 s\)$/),
    expect.stringMatching(/^Waiting for your user: .* \(after 11 s\)$/),
  ]);
  expect(reports.map((report) => (report as { progress: number }).progress)).toEqual([1, 2, 3, 4, 5]);
});

test('A run that makes no call is reported too', async () => {
  const { reports, stop } = reported();
  await vi.advanceTimersByTimeAsync(5_500);
  stop();
  expect(reports).toEqual([{ progressToken: 7, progress: 1, message: 'The code runs (after 5 s)' }]);
});
