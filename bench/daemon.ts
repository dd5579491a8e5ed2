import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@executor/client';
import { readLocalToken, resolveFolders } from '@executor/home';
import type { Figure } from './figure.ts';

export const program = fileURLToPath(new URL('../apps/cli/bin/executor.js', import.meta.url));

/** The built product, running in a folder of its own. */
export interface Daemon {
  env: NodeJS.ProcessEnv;
  executor(...args: string[]): string;
  client(url?: string): Client;
  pid(): number;
}

export async function withDaemon(
  measure: (daemon: Daemon) => Promise<Figure[]>,
  environment: NodeJS.ProcessEnv = {},
): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), 'executor-bench-'));
  const env = { ...process.env, ...environment, EXECUTOR_HOME: home, EXECUTOR_PORT: '0' };
  const executor = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0 && status !== 3) throw new Error(`executor ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const state = () => JSON.parse(executor('status', '--json'));
  const client = (url = state().url) =>
    createClient({ url, token: readLocalToken(resolveFolders({ EXECUTOR_HOME: home })) });
  try {
    executor('up');
    return await measure({ env, executor, client, pid: () => state().pid });
  } finally {
    spawnSync(process.execPath, [program, 'down', '--force'], { env });
    rmSync(home, { recursive: true, force: true });
  }
}
