import type { Engine } from '@executor/engine';
import type { Principal } from '@executor/protocol';
import type { ServerContext } from '@modelcontextprotocol/server';

const intervalMs = 250;
/** Clients give up on a request that is silent for long. */
const quietMs = 5_000;

/**
 * Reports the current call of a run to a client that asked for progress, and repeats the report while nothing happens. A run may make
 * thousands of calls, so at most one report is sent per interval. Returns a function that stops the reports.
 */
export function reportProgress(
  { executions }: Engine,
  { principal, executionId }: { principal: Principal; executionId: string },
  { mcpReq }: ServerContext,
): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  const stopped = new AbortController();
  const startedAt = performance.now();
  let calls = 0;
  let state = 'The code runs';
  let isNew = false;
  let progress = 0;
  let reportedAt = startedAt;
  const report = () => {
    const now = performance.now();
    if (!isNew && now - reportedAt < quietMs) return;
    const message = isNew ? state : `${state} (after ${Math.round((now - startedAt) / 1_000)} s)`;
    isNew = false;
    reportedAt = now;
    progress += 1;
    // The client may have disconnected.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => {});
  };
  const timer = setInterval(report, intervalMs);
  const follow = async () => {
    const events = await executions.events(principal, executionId, { follow: true }, stopped.signal);
    for await (const { type, data } of events) {
      if (type === 'call.requested') state = `Call ${++calls}: ${data.path}`;
      else if (type === 'interaction.requested')
        state = `Waiting for your user: ${String(data.prompt).slice(0, 200)}`;
      else continue;
      isNew = true;
      if (progress === 0) report();
    }
  };
  follow().catch(() => {});
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}
