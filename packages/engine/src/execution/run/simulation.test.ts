import { describe, expect, test } from 'vitest';
import { mutations } from '../../../test/simulation/mutations.ts';
import { simulate } from '../../../test/simulation/simulate.ts';

const long = process.env.EXECUTOR_TEST_LONG !== undefined;
const only = process.env.EXECUTOR_SIMULATION_SEED;
/** Whichever is reached first. A busy machine simulates fewer schedules. */
const limits = long ? { schedules: 150_000, ms: 240_000 } : { schedules: 3_000, ms: 10_000 };
const minSchedules = 100;
/** A planted fault violates an invariant within this many schedules. */
const maxUntilFound = 600;

/**
 * Real workers and runs on a model of everything else, under a virtual clock. Each seed is a schedule with its own scripts, people and
 * faults. test/simulation/invariants.ts has the invariants.
 */
describe('A simulation of runs', () => {
  test('violates no invariant under any fault', { timeout: 2 * limits.ms + 60_000 }, async () => {
    const sums = { schedules: 0, steps: 0, runs: 0, compared: 0 };
    const until = performance.now() + limits.ms;
    for (let seed = Number(only ?? 1); sums.schedules < limits.schedules; seed++) {
      const report = await simulate(seed);
      if (report.violation) expect.fail(await describeViolation(seed));
      if (only !== undefined) return;
      sums.schedules += 1;
      sums.steps += report.steps;
      sums.runs += report.runs;
      sums.compared += report.compared;
      if (performance.now() > until && sums.schedules >= minSchedules) break;
    }
    const { schedules, steps, runs } = sums;
    console.info(`Simulated ${schedules} schedules of ${runs} runs in ${steps} steps.`);
    // The test proves nothing if no runs were compared.
    expect(sums.compared).toBeGreaterThan(sums.runs / 5);
  });

  test('is the same for the same seed', async () => {
    const traced = true;
    const [one, other] = [await simulate(7, { traced }), await simulate(7, { traced })];
    expect(other.trace.map(withoutIds)).toEqual(one.trace.map(withoutIds));
  });

  describe.skipIf(only !== undefined)('finds', () => {
    test.for(Object.entries(mutations))('%s', { timeout: 300_000 }, async ([, { parts, expected }]) => {
      const others = new Set<string>();
      for (let seed = 1; seed <= maxUntilFound; seed++) {
        const { violation } = await simulate(seed, parts);
        others.add(violation?.message ?? 'nothing');
        // The first violation may be a consequence of the planted fault.
        if (violation && expected.test(violation.message)) return;
      }
      expect.fail(`Not seen in ${maxUntilFound} schedules; but: ${[...others].slice(0, 5).join('; ')}`);
    });
  });
});

/** Simulates the schedule again with a trace. */
async function describeViolation(seed: number): Promise<string> {
  const { violation, trace } = await simulate(seed, { traced: true });
  const last = only === undefined ? trace.slice(-30) : trace;
  return `${violation?.stack}
EXECUTOR_SIMULATION_SEED=${seed} npx vitest run packages/engine/src/execution/run/simulation.test.ts shows all that led to it. The end:
${last.join('\n')}`;
}

/** Removes random ids and the positions of errors, which vary. */
function withoutIds(line: string): string {
  return line.replaceAll(/\bint_\w+|\n.*/gs, '');
}
