import { abandonLost, isOwed, openTimers } from './calls.ts';
import { ToolError } from './errors.ts';
import { host } from './host.ts';
import { inspect } from './inspect.ts';
import { stopIntervals, stoppedIntervals } from './platform/timers.ts';
import { listUnawaited } from './unawaited.ts';

/**
 * Called by the host after the code has returned and can do nothing without an answer. Returns the calls and timers that the code did not
 * await, or undefined while the run waits for such calls. Calls that lost a race are given up, and no interval fires again.
 */
export function drain(): string | undefined {
  if (!isOwed()) return listUnawaited([...stoppedIntervals, ...openTimers()]);
  abandonLost();
  stopIntervals();
  return undefined;
}

/** An error that nothing caught after the code had returned. Errors of calls are listed with the calls. */
export function noteError(error: unknown): void {
  if (error instanceof ToolError) return;
  host.log('error', `After the code had returned: ${inspect(error)}`);
}
