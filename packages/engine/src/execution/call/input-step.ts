import { setImmediate } from 'node:timers/promises';
import type { Meter } from '../../ports/meter.ts';
import type { SandboxCall } from '../../ports/sandbox.ts';
import type { CallContext } from './call-context.ts';

/** A step on less JSON than this takes too little time to count. */
const largeInput = 64 * 1024;

/**
 * Computes one step on the input of a call. A step on a large input takes up to 50 ms, so other work of this process gets its turn before
 * it, and the run pays for the time. The meter is for work that the step does later.
 */
export async function inputStep<Result>(
  { input }: SandboxCall,
  run: Pick<CallContext, 'meter'>,
  work: (meter?: Meter) => Result,
): Promise<Awaited<Result>> {
  if (input.length <= largeInput) return await work();
  await setImmediate();
  return await run.meter.measure(() => work(run.meter));
}
