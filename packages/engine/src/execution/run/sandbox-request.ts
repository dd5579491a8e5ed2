import { ExecutorError } from '@executor/protocol';
import type { NewExecutionRow } from '../../ports/execution-store.ts';
import type { SandboxRequest } from '../../ports/sandbox.ts';
import { historyOf, type RunState } from './run-state.ts';

type Runnable = Pick<NewExecutionRow, 'program' | 'seed' | 'epoch' | 'limits' | 'ownerId'>;

/** A rebuild must succeed on a slower machine too. */
const minReplayCpuMs = 30_000;

/** The request that starts a run. */
export function firstRequest({ program, seed, epoch, limits, ownerId: owner }: Runnable): SandboxRequest {
  if (program === null) throw new ExecutorError('internal', 'The run has no program.');
  const replayCpuMs = Math.max(minReplayCpuMs, 3 * limits.cpuMs);
  return { program, seed, epoch, owner, limits: { ...limits, replayCpuMs } };
}

/** The request that continues a run. */
export function laterRequest(execution: Runnable, state: RunState): SandboxRequest {
  return { ...firstRequest(execution), history: { ...historyOf(state), cpuMs: state.cpuMs } };
}
