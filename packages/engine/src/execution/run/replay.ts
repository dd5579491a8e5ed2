import type { ReplayReport } from '@executor/protocol';
import type { ExecutionRow } from '../../ports/execution-store.ts';
import type { Sandbox, SandboxOutcome } from '../../ports/sandbox.ts';
import { cutJson } from '../view/cut-json.ts';
import { errorOf, shownResultBytes } from './run-ending.ts';
import { historyOf, type RunState } from './run-state.ts';

/** How a replay ended. `rested`: the code waits for results that are not in the journal. */
type Replayed = SandboxOutcome | { type: 'rested' };

/** Replays a finished run from its journal without sending anything, and compares the ends. */
export async function replayRun(
  execution: ExecutionRow,
  state: RunState,
  sandbox: Sandbox,
): Promise<ReplayReport> {
  const counts = { calls: state.calls.length, completions: state.completions.length };
  if (execution.program === null) {
    return {
      matched: true,
      message: 'The code of this run did not compile; there is nothing to replay.',
      ...counts,
    };
  }
  const replayed = await runAgain(execution, state, sandbox);
  const recorded = recordedEnd(execution);
  const now = replayedEnd(replayed);
  const comparison = compare(execution, replayed, { recorded, now });
  const counted = `${count(counts.calls, 'call')} and ${count(counts.completions, 'answer')}`;
  const message =
    comparison === 'other'
      ? `The replay of ${counted} differs from the run. Compare both ends.`
      : `Replayed ${counted} from the journal: the replay matches the run ${comparison}.`;
  return { matched: comparison !== 'other', message, ...counts, recorded, replayed: now };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

async function runAgain(execution: ExecutionRow, state: RunState, sandbox: Sandbox): Promise<Replayed> {
  const { program, seed, epoch, limits } = execution;
  const end = new AbortController();
  let rested = false;
  const outcome = await sandbox.run(
    { program: program as NonNullable<typeof program>, seed, epoch, history: historyOf(state), limits },
    {
      onCall() {},
      onRest() {
        // The code got every result in the journal and waits for more, so something outside ended the run here.
        rested = true;
        end.abort();
      },
    },
    end.signal,
  );
  return rested && outcome.type === 'cancelled' ? { type: 'rested' } : outcome;
}

function recordedEnd({ status, result, error }: ExecutionRow): Record<string, unknown> {
  if (status === 'completed') return { status, result: JSON.parse(result ?? 'null') };
  return error ? { status, code: error.code, message: error.message } : { status };
}

function replayedEnd(replayed: Replayed): Record<string, unknown> {
  if (replayed.type === 'rested') return { status: 'waiting' };
  if (replayed.type === 'returned') {
    return { status: 'completed', result: JSON.parse(cutJson(replayed.json, shownResultBytes)) };
  }
  const { code, message } = errorOf(replayed);
  return { status: 'failed', code, message };
}

type Comparison = 'other' | 'and ended the same' | `until it ${string}`;

/**
 * If a person, a machine or a limit ended the run, only the calls until then are compared. The replay may continue beyond that point, so its
 * end is not compared.
 */
function compare(
  { status, error, result }: ExecutionRow,
  replayed: Replayed,
  { recorded, now }: { recorded: Record<string, unknown>; now: Record<string, unknown> },
): Comparison {
  const isSame =
    status === 'completed' && replayed.type === 'returned'
      ? cutJson(replayed.json, shownResultBytes) === result
      : JSON.stringify(recorded) === JSON.stringify(now) ||
        (replayed.type === 'nondeterminism' && error?.code === 'nondeterminism');
  if (isSame) return 'and ended the same';
  const cause = status === 'cancelled' ? 'was cancelled' : outerCauses[error?.code ?? ''];
  const isBroken = replayed.type === 'nondeterminism' || replayed.type === 'crashed';
  return cause === undefined || isBroken ? 'other' : `until it ${cause}`;
}

/** Causes outside of the code that end a run, by error code. */
const outerCauses: Record<string, string | undefined> = {
  internal: 'failed inside Executor',
  crashed: 'lost its process',
  timedOut: 'exceeded its CPU time',
  limit: 'exceeded the limit of its journal',
};
