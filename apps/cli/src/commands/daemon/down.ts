import { setTimeout as sleep } from 'node:timers/promises';
import { daemonProcessOf, type Folders, isAlive, loadConfig, readDaemonRecord } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import type { Environment } from '../../environment.ts';

/** The time that a daemon needs to stop, in addition to the calls in flight. */
const patienceMs = 15_000;
/** The same with --force. */
const impatienceMs = 5_000;
/** After this time the command says what it waits for. */
const quietMs = 2_000;

export async function down(
  environment: Environment,
  { force = false, json = false }: { force?: boolean; json?: boolean },
): Promise<void> {
  const pid = await stopDaemon(environment, { force });
  if (pid === undefined) refuseServerRole(environment.folders, 'stop');
  if (json) return environment.printJson({ running: false, stopped: pid !== undefined, pid });
  environment.print(pid === undefined ? 'Executor is not running.' : 'Executor is stopped.');
}

/**
 * Asks the daemon to stop and waits until its process has ended. Returns its pid, or undefined if no daemon ran. The holder of the lock is
 * the daemon, also while it starts or finishes its last requests and calls.
 */
export async function stopDaemon(
  environment: Environment,
  { force }: { force: boolean },
): Promise<number | undefined> {
  const daemon = daemonProcessOf(environment.folders);
  if (daemon === undefined) return undefined;
  const { pid } = daemon;
  signal(pid, 'SIGTERM');
  const withinMs = force ? impatienceMs : patienceMs + drainMs(environment);
  if (await gone(daemon, quietMs)) return pid;
  environment.note(
    `Waiting for process ${pid} to finish the requests and calls in flight, for up to ${withinMs / 1_000} s.${force ? '' : ' `--force` does not wait for them.'}`,
  );
  if (await gone(daemon, withinMs - quietMs)) return pid;
  if (!force) {
    throw new ExecutorError(
      'timeout',
      `The daemon (process ${pid}) did not stop within ${withinMs / 1_000} seconds. \`executor down --force\` ends it. Saved data is not lost.`,
    );
  }
  signal(pid, 'SIGKILL');
  await gone(daemon, patienceMs);
  return pid;
}

/** The CLI does not stop a process that the user started. */
export function refuseServerRole(folders: Folders, deed: 'stop' | 'restart'): void {
  const record = readDaemonRecord(folders);
  if (record?.role !== 'server') return;
  throw new ExecutorError(
    'conflict',
    `No daemon runs for this home. Process ${record.pid} serves it, and was started with \`executor server\`: ${deed} it where it was started.`,
    { details: { pid: record.pid } },
  );
}

/** The current configuration, which may differ from the one that the daemon started with. */
function drainMs({ folders, variables }: Environment): number {
  try {
    return loadConfig({ folders, env: variables }).drainSeconds * 1_000;
  } catch {
    // The daemon can be stopped even if the configuration cannot be read.
    return 60_000;
  }
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new ExecutorError(
      'forbidden',
      `This user has no permission to stop the daemon (process ${pid}). Stop it as the user that started it.`,
      { cause: error },
    );
  }
}

async function gone(record: { pid: number; startedAt: string }, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isAlive(record)) {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}
