import { maxWaitMs } from '@executor/protocol';
import type { Environment } from '../../environment.ts';
import { AgentServer } from '../../mcp/agent-server.ts';
import { Bridge } from '../../mcp/bridge.ts';
import { linesOf } from '../../mcp/lines.ts';
import { serverAwayMs } from '../../server-away.ts';

/** How long answers may take that are still due when the client has said its last: as long as a call may wait, and a server be away. */
const graceMs = maxWaitMs + serverAwayMs;

/** `/mcp` over standard input and output. Nothing but messages is ever written to the latter. */
export async function mcp(environment: Environment): Promise<void> {
  const server = new AgentServer(environment);
  const bridge = new Bridge({
    server,
    write: (message) => environment.stdout.write(`${JSON.stringify(message)}\n`),
  });
  // Found, or started, while the client still thinks of what to say; what goes wrong is told to whoever asks for something.
  server.access().catch(() => {});
  for (const signal of ['SIGINT', 'SIGTERM'] as const) environment.signals.on(signal, environment.exit);
  // Nobody reads any more.
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
