import { createInterface } from 'node:readline';
import { AgentServer } from '../mcp/agent-server.ts';
import { Bridge } from '../mcp/bridge.ts';

/** How long answers may take that are still due when the client has said its last. */
const graceMs = 1_500;

/** `/mcp` over standard input and output. Nothing but messages is ever written to the latter. */
export async function mcp(): Promise<void> {
  const server = new AgentServer();
  const bridge = new Bridge({
    server,
    write: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
  });
  // Found, or started, while the client still thinks of what to say; what goes wrong is told to whoever asks for something.
  server.access().catch(() => {});
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());
  for await (const line of createInterface({ input: process.stdin })) bridge.take(line);
  const timer = setTimeout(() => process.exit(), graceMs);
  await bridge.settled();
  clearTimeout(timer);
  bridge.leave();
}
