import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { conformanceNode, conformanceProgram } from '../../../../scripts/setup-conformance.ts';
import { type Check, readChecks } from './run-suite.ts';

interface AuthorizationServer {
  issuer: string;
  clientId: string;
  /** The resource of the token. */
  resource: string;
  /** Acts as the user who opens this address. */
  visit(address: URL, back: string): Promise<URL>;
}

/** Runs the official suite against an authorization server, with a simulated user who signs in. */
export async function runAuthorizationSuite(judged: AuthorizationServer): Promise<Check[]> {
  const { issuer, clientId, resource, visit } = judged;
  const folder = await mkdtemp(join(tmpdir(), 'executor-conformance-'));
  const port = await freePort();
  const args = ['authorization', '--url', issuer, '--client-id', clientId, '--resource', resource];
  const child = spawn(
    conformanceNode,
    [conformanceProgram('2026-07-28'), ...args, '--port', String(port), '-o', folder],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: 170_000 },
  );
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith(`${issuer}/`)) continue;
      await fetch(await visit(new URL(line), `http://127.0.0.1:${port}/callback`));
    }
    return (await readChecks(folder, 'authorization-server')).flatMap(({ checks }) => checks);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Outside of the range of automatic ports, because another test could get the port before the suite uses it. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
