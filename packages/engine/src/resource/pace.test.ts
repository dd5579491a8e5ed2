import { expect, test } from 'vitest';
import { CpuMeter } from './cpu-meter.ts';
import { Pace } from './pace.ts';

const stepMs = 15;

/** Each step takes longer than a turn may. */
function* longSteps(count: number): Generator<number, string> {
  for (let step = 0; step < count; step++) {
    for (const end = performance.now() + stepMs; performance.now() < end; );
    yield step;
  }
  return 'done';
}

test('Long work lets other work pass, and its own time is counted', async () => {
  const meter = new CpuMeter();
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  });
  expect(await new Pace(meter).take(longSteps(4))).toBe('done');
  clearInterval(others);
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(meter.ms).toBeGreaterThanOrEqual(4 * stepMs);
});
