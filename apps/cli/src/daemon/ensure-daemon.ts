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
 * The running daemon. It is started if it does not run. Many commands may do this at once: the daemons that they start compete for a lock,
 * one gets it, and the other commands wait for that one. If it fails, they try again.
 */
export async function ensureDaemon(
  environment: Environment,
  flags: DaemonFlags,
): Promise<{ record: DaemonRecord; started: boolean }> {
  // Reports an invalid configuration here, because the error of a process that ends is harder to read.
  const { folders } = environment;
  loadConfig({ folders, env: environment.variables, flags });
  const deadline = Date.now() + patienceMs;
  let outcome: 'ready' | 'lost' | undefined;
  while (Date.now() < deadline) {
    const found = await findDaemon(folders);
    if (found?.health) return { record: found.record, started: false };
    // Another daemon that holds the lock without a record is starting or stopping, so a second process would fail too.
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
    `The daemon did not answer within ${patienceMs / 1000} seconds. \`executor logs\` shows what it does. \`executor doctor\` looks for problems.`,
  );
}

/** The first start takes a second or two, so a terminal shows a message. */
async function showingProgress<Result>(environment: Environment, work: Promise<Result>): Promise<Result> {
  if (!environment.stderr.isTTY) return work;
  environment.writeError('Starting Executor…');
  try {
    return await work;
  } finally {
    environment.writeError('\r\u001b[K');
  }
}
