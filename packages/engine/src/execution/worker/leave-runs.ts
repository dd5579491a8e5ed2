import type { Clock } from '../../clock.ts';
import type { Run } from '../run/run.ts';
import type { RunDependencies } from '../run/run-dependencies.ts';

interface Departure {
  clock: Clock;
  runs: ReadonlyMap<string, Run>;
  /** How many runs are being created here. */
  reserved(): number;
  onProblem: RunDependencies['onProblem'];
}

/** How long runs may continue that could continue elsewhere, so that most of them end. */
const finishMs = 8_000;
/** How long the process then tries to write what it knows. */
const lastWriteMs = 1_000;

/**
 * Leaves the runs of a process that ends. Runs that are idle are released. The others continue for a while. Runs with a call in flight that
 * must not be repeated continue until that call has ended or the grace period is over: otherwise a reviewer would have to decide about it.
 */
export async function leaveRuns(departure: Departure, graceMs: number): Promise<void> {
  const { clock, runs } = departure;
  const began = clock.elapsed();
  const deadline = began + graceMs;
  await releaseAll(departure, Math.min(deadline, began + finishMs));
  while (runs.size > 0 && clock.elapsed() < deadline) {
    for (const run of runs.values()) run.leave();
    await pause(clock);
  }
  reportAbandoned(departure);
  await abandonAll(departure);
  // The database does not respond. The leases end by themselves.
  for (const run of runs.values()) {
    run.lose();
    void run.abandon();
  }
}

/** Until no run is left, or the deadline (running time) has passed. */
async function releaseAll({ clock, runs, reserved }: Departure, deadline: number): Promise<void> {
  while (runs.size + reserved() > 0 && clock.elapsed() < deadline) {
    await orBy(clock, deadline, Promise.all([...runs.values()].map((run) => run.release())));
    if (runs.size + reserved() > 0) await pause(clock);
  }
}

function reportAbandoned({ runs, onProblem }: Departure): void {
  for (const { id, uncertainCalls: calls } of runs.values()) {
    if (calls.length === 0) continue;
    const message =
      'the worker ends before calls that must not be repeated; a reviewer has to decide about them';
    onProblem(message, { executionId: id, calls });
  }
}

async function abandonAll({ clock, runs }: Departure): Promise<void> {
  const deadline = clock.elapsed() + lastWriteMs;
  await orBy(clock, deadline, Promise.all([...runs.values()].map((run) => run.abandon())));
  while (runs.size > 0 && clock.elapsed() < deadline) await pause(clock);
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.after(20, resolve));
}

/** Waits until the deadline (running time) at most. */
async function orBy(clock: Clock, deadline: number, done: Promise<unknown>): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(Math.max(0, deadline - clock.elapsed()), resolve);
  });
  await Promise.race([done, late]);
  cancel();
}
