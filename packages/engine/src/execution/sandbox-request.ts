import { ExecutorError } from '@executor/protocol';
import type { NewExecutionRow } from '../ports/execution-store.ts';
import type { SandboxRequest } from '../ports/sandbox.ts';
import { historyOf, type RunState } from './run-state.ts';

type Runnable = Pick<NewExecutionRow, 'program' | 'seed' | 'epoch' | 'limits'>;

/** A run must be able to be rebuilt, on a slower machine too. */
const minReplayCpuMs = 30_000;

/** What a run begins with. */
export function firstRequest({ program, seed, epoch, limits }: Runnable): SandboxRequest {
  if (program === null) throw new ExecutorError('internal', 'The run has no program.');
  const replayCpuMs = Math.max(minReplayCpuMs, 3 * limits.cpuMs);
  return { program, seed, epoch, limits: { ...limits, replayCpuMs } };
}

/** What a run goes on with. */
export function laterRequest(execution: Runnable, state: RunState): SandboxRequest {
  return { ...firstRequest(execution), history: { ...historyOf(state), cpuMs: state.cpuMs } };
}
