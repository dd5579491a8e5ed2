import type { Engine } from '@executor/engine';
import type { Principal } from '@executor/protocol';
import type { ServerContext } from '@modelcontextprotocol/server';

const minPauseMs = 250;

/**
 * Tells the client, where it asked for that, which call its run is at. A run may make thousands of calls: of those within a moment the
 * last is told. Answers with how to stop.
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
  let told = 0;
  let message = '';
  const tell = () => {
    if (calls === told) return;
    told = calls;
    // Whoever has gone need not hear of it.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress: calls, message } })
      .catch(() => {});
  };
  const timer = setInterval(tell, minPauseMs);
  const follow = async () => {
    const events = await executions.events(principal, executionId, { follow: true }, stopped.signal);
    for await (const { type, data } of events) {
      if (type !== 'call.requested') continue;
      calls++;
      message = `Call ${calls}: ${data.path}`;
      if (calls === 1) tell();
    }
  };
  follow().catch(() => {});
  return () => {
    clearInterval(timer);
    stopped.abort();
  };
}
