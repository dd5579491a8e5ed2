import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { conformanceNode, conformanceProgram } from '../../../../scripts/setup-conformance.ts';
import { type Check, readChecks } from './run-suite.ts';

interface AuthorizationServer {
  issuer: string;
  clientId: string;
  /** What the token is to be for. */
  resource: string;
  /** Does what a person does who is sent to this address. */
  visit(address: URL, back: string): Promise<URL>;
}

/** Lets the official suite judge an authorization server, with somebody who signs in where it asks for that. */
export async function runAuthorizationSuite(judged: AuthorizationServer): Promise<Check[]> {
  const { issuer, clientId, resource, visit } = judged;
  const folder = await mkdtemp(join(tmpdir(), 'executor-conformance-'));
  const port = await freePort();
  const args = ['authorization', '--url', issuer, '--client-id', clientId, '--resource', resource];
  const child = spawn(
    conformanceNode,
    [conformanceProgram('2026-07-28'), ...args, '--port', String(port), '-o', folder],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 },
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
