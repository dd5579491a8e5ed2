import type { Engine } from '@executor/engine';
import type { Principal } from '@executor/protocol';
import type { ServerContext } from '@modelcontextprotocol/server';

const intervalMs = 250;

/**
 * Reports the current call of a run to a client that asked for progress. A run may make thousands of calls, so at most one report is sent
 * per interval. Returns a function that stops the reports.
 */
export function reportProgress(
  { executions }: Engine,
  { principal, executionId }: { principal: Principal; executionId: string },
  { mcpReq }: ServerContext,
): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  const stopped = new AbortController();
  let calls = 0;
  let reported = 0;
  let message = '';
  const report = () => {
    if (calls === reported) return;
    reported = calls;
    // The client may have disconnected.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress: calls, message } })
      .catch(() => {});
  };
  const timer = setInterval(report, intervalMs);
  const follow = async () => {
    const events = await executions.events(principal, executionId, { follow: true }, stopped.signal);
    for await (const { type, data } of events) {
      if (type !== 'call.requested') continue;
      calls++;
      message = `Call ${calls}: ${data.path}`;
      if (calls === 1) report();
    }
  };
  follow().catch(() => {});
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}
