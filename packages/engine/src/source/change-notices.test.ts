import { expect, test } from 'vitest';
import type { Source } from '../ports/source.ts';
import type { SourceRow } from '../ports/source-store.ts';
import { ChangeNotices } from './change-notices.ts';

test('A refresh that ends because the process stops leaves no timer', async () => {
  const stop = new AbortController();
  const timers = new Set<() => void>();
  let report = (_sourceId: string) => {};
  let hasEnded = false;
  const kind = {
    onChange: (listener: typeof report) => {
      report = listener;
    },
  };
  new ChangeNotices({
    kinds: [kind as unknown as Source],
    catalog: { known: (id) => ({ id }) as SourceRow },
    clock: {
      after: (_, callback) => {
        timers.add(callback);
        return () => timers.delete(callback);
      },
    },
    stopping: stop.signal,
    refresh: () =>
      new Promise((_, reject) => {
        stop.signal.addEventListener('abort', () => {
          hasEnded = true;
          reject(stop.signal.reason);
        });
      }),
    onProblem: () => {},
  });
  report('src_1');
  stop.abort();
  await new Promise(setImmediate);
  expect([hasEnded, timers.size]).toEqual([true, 0]);
});
