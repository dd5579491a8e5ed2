import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/* Processes and files may go away while they are examined. Reads /proc, so it works on Linux only. */

/** The memory of a process and its descendants in megabytes. Shared memory is divided among those that share it. */
export function memoryOf(pid: number): number {
  const own = /Pss:\s+(\d+)/.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0;
  return childrenOf(pid).reduce((sum, child) => sum + memoryOf(child), Number(own) / 1024);
}

/** Each thread has children of its own. */
function childrenOf(pid: number): number[] {
  return listed(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number),
  );
}

/** The size of all files in a folder in megabytes. */
export function diskUseOf(folder: string): number {
  const sizes = listed(folder, { recursive: true }).map(
    (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
}

function listed(folder: string, { recursive = false } = {}): string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' });
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
