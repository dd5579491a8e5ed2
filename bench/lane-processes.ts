import { readdirSync, readFileSync } from 'node:fs';

/**
 * The memory of the sandbox's processes in megabytes. Shared memory is divided among them. Zero on systems without
 * /proc.
 */
export function lanesMegabytes(): number {
  return descendants(process.pid)
    .filter((pid) => read(`/proc/${pid}/cmdline`).includes('lane.cjs'))
    .map((pid) => Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024)
    .reduce((sum, megabytes) => sum + megabytes, 0);
}

function descendants(pid: number): number[] {
  return children(pid).flatMap((child) => [child, ...descendants(child)]);
}

function children(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
