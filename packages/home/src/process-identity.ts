import { readFileSync } from 'node:fs';

/**
 * Identifies a process. Pids are reused, so a pid alone proves nothing: `startedAt` is its start time as the system prints it, and is
 * only compared for equality.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** Records that name a process are checked by hand: a schema library would double the start-up time of a short command. */
export function isProcessIdentity(value: unknown): value is ProcessIdentity & Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, startedAt } = value as Record<string, unknown>;
  return Number.isInteger(pid) && typeof startedAt === 'string';
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, startedAt: startOf(process.pid) ?? 'unknown' };
}

export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  if (!exists(pid)) return false;
  const now = startOf(pid);
  return now === undefined || startedAt === 'unknown' || now === startedAt;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startOf(pid: number): string | undefined {
  try {
    switch (process.platform) {
      case 'linux':
        return linuxStart(pid);
      case 'win32':
        return undefined;
      default:
        return psStart(pid);
    }
  } catch {
    return undefined;
  }
}

/** Clock ticks since boot, and the boot id. A zombie counts as ended. */
function linuxStart(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
}

/**
 * `ps` prints the time in the caller's zone and language, which differ between a terminal and a scheduled job. `child_process` is loaded
 * here because it slows the start of every command.
 */
function psStart(pid: number): string | undefined {
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
  return (
    execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim() || undefined
  );
}
