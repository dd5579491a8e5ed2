import { setTimeout as sleep } from 'node:timers/promises';
import { type DaemonRecord, daemonProcessOf, loadConfig } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import type { Environment } from '../environment.ts';
import { findDaemon } from './find-daemon.ts';
import { spawnDaemon } from './spawn-daemon.ts';

interface DaemonFlags {
  port?: string | undefined;
}

const patienceMs = 30_000;

/**
 * The running daemon, started if need be. Any number of commands may do this at once: the daemons they start contend for a lock,
 * one gets it, and the others' commands wait for that one, or try themselves if it fails.
 */
export async function ensureDaemon(
  environment: Environment,
  flags: DaemonFlags,
): Promise<{ record: DaemonRecord; started: boolean }> {
  // A configuration that cannot be used is better told here than by a process that ends.
  const { folders } = environment;
  loadConfig({ folders, env: environment.variables, flags });
  const deadline = Date.now() + patienceMs;
  let outcome: 'ready' | 'lost' | undefined;
  while (Date.now() < deadline) {
    const found = await findDaemon(folders);
    if (found?.health) return { record: found.record, started: false };
    // Whoever was first and has no record yet is still starting, or stopping: another process would only find that out.
    if (found === undefined && !(outcome === 'lost' && daemonProcessOf(folders))) {
      outcome = await showingProgress(environment, spawnDaemon(environment, flags));
      if (outcome === 'ready') {
        const own = await findDaemon(folders);
        if (own) return { record: own.record, started: true };
      }
    }
    await sleep(100);
  }
  throw new ExecutorError(
    'noServer',
    `The daemon did not answer within ${patienceMs / 1000} seconds. \`executor logs\` shows what it does, \`executor doctor\` what may be wrong.`,
  );
}

/** The first start takes a second or two: long enough to wonder, at a terminal. */
async function showingProgress<Result>(environment: Environment, work: Promise<Result>): Promise<Result> {
  if (!environment.stderr.isTTY) return work;
  environment.writeError('Starting Executor…');
  try {
    return await work;
  } finally {
    environment.writeError('\r\u001b[K');
  }
}
