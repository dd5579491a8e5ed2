import { maxWaitMs } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { AgentServer } from '../../mcp/agent-server.ts';
import { Bridge } from '../../mcp/bridge.ts';
import { linesOf } from '../../mcp/lines.ts';
import { serverAwayMs } from '../../server-away.ts';

/** How long to wait for missing responses after the client closed its input: as long as a call may wait and a server may be away. */
const graceMs = maxWaitMs + serverAwayMs;

/** Serves `/mcp` over standard input and output. Standard output gets MCP messages only. */
export async function mcp(environment: Environment): Promise<void> {
  const server = new AgentServer(environment);
  const bridge = new Bridge({
    server,
    write: (message) => environment.stdout.write(`${JSON.stringify(message)}\n`),
  });
  // Connects before the first message arrives. The first request reports an error of this.
  server.access().catch(() => {});
  for (const signal of ['SIGINT', 'SIGTERM'] as const) environment.signals.on(signal, environment.exit);
  // The client has closed its end.
  environment.stdout.once('error', environment.exit);
  for await (const line of linesOf(environment.stdin as AsyncIterable<Uint8Array>)) bridge.take(line);
  const timer = setTimeout(() => {
    environment.exitCode = 1;
    bridge.leave();
  }, graceMs);
  await bridge.settled();
  clearTimeout(timer);
  bridge.leave();
}
