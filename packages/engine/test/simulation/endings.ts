import { replayRun } from '../../src/execution/run/replay.ts';
import { emptyState, record } from '../../src/execution/run/run-state.ts';
import { sleepPath } from '../../src/ports/sandbox.ts';
import { ModelSandbox } from './model-sandbox.ts';
import type { RunRow } from './model-tables.ts';
import { resultOf } from './undisturbed.ts';
import type { World } from './world.ts';

/** Compares the ends of the runs with their journals and with undisturbed runs. Returns the number of compared runs. */
export async function checkEnds(world: World): Promise<number> {
  let compared = 0;
  for (const run of world.tables.runs.values()) {
    checkFailure(run, world);
    checkDrained(run, world);
    await checkReplay(run, world);
    if (await checkResult(run, world)) compared += 1;
  }
  return compared;
}

function checkFailure({ row }: RunRow, { invariants, problems }: World): void {
  // The invariants check who may be blamed for crashes.
  if (row.status !== 'failed' || row.error?.code === 'threw' || row.error?.code === 'crashed') return;
  invariants.fail(`${row.id} failed: ${JSON.stringify(row.error)} ${problems.join('\n')}`);
}

/** A run that completes has lost no call, whether its code awaited the call or not. */
function checkDrained({ row, events }: RunRow, { invariants }: World): void {
  if (row.status !== 'completed') return;
  const state = emptyState();
  for (const event of events) record(state, event);
  const lost = state.calls.find(({ path, completed }) => path !== sleepPath && !completed);
  if (lost) invariants.fail(`${row.id} completed without call ${lost.index} (${lost.path})`);
}

/** Replays from the journal alone, without sending anything. */
async function checkReplay({ row, events }: RunRow, { invariants }: World): Promise<void> {
  const state = emptyState();
  for (const event of events) record(state, event);
  const sandbox = new ModelSandbox({ later: (_, run) => void setImmediate(run), started: () => {} });
  const report = await replayRun(row, state, sandbox);
  if (!report.matched) invariants.fail(`${row.id} does not replay: ${JSON.stringify(report)}`);
}

async function checkResult(run: RunRow, world: World): Promise<boolean> {
  if (run.row.error?.code === 'crashed') return false;
  if (run.row.status === 'cancelled' || world.ledger.unsteady.has(run.row.id)) return false;
  const interactions = [...world.tables.interactions.values()].filter(
    ({ executionId }) => executionId === run.row.id,
  );
  const expected = await resultOf(run, interactions);
  if (expected === undefined) return false;
  const got = run.row.status === 'completed' ? run.row.result : `threw ${run.row.error?.message}`;
  if (got !== expected) world.invariants.fail(`${run.row.id} came to ${got}, and undisturbed to ${expected}`);
  return true;
}
