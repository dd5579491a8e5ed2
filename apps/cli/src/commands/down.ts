import { setTimeout as sleep } from 'node:timers/promises';
import { type Folders, isAlive, readDaemonRecord, resolveFolders } from '@executor/home';
import { ExecutorError } from '@executor/protocol';
import { printJson } from '../output.ts';

const patienceMs = 15_000;

export async function down({
  force = false,
  json = false,
}: {
  force?: boolean;
  json?: boolean;
}): Promise<void> {
  const stopped = await stopDaemon(resolveFolders(process.env), force);
  if (json) return printJson({ running: false, stopped: stopped !== undefined, pid: stopped });
  console.log(stopped === undefined ? 'Executor is not running.' : 'Executor is stopped.');
}

/** Asks the daemon to stop and waits until its process is gone; answers with its pid, or undefined where there was none. */
export async function stopDaemon(folders: Folders, force: boolean): Promise<number | undefined> {
  const record = readDaemonRecord(folders);
  if (record === undefined) return undefined;
  signal(record.pid, 'SIGTERM');
  if (await gone(record, patienceMs)) return record.pid;
  if (!force) {
    throw new ExecutorError(
      'timeout',
      `The daemon (process ${record.pid}) did not stop within ${patienceMs / 1000} seconds. \`executor down --force\` ends it; nothing that was saved is lost.`,
    );
  }
  signal(record.pid, 'SIGKILL');
  await gone(record, patienceMs);
  return record.pid;
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new ExecutorError(
      'forbidden',
      `This user may not stop process ${pid}, which runs the daemon. Stop it as the user that started it.`,
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
