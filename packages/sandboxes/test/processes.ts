import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The processes whose command line contains the text. All processes are searched, because an orphan is no longer below its parent. */
export function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && read(pid, 'cmdline').includes(text));
}

/** The processes that run the lane program of a folder, without the bubblewrap processes around them. */
export function lanesIn(folder: string): number[] {
  return processesNaming(join(folder, 'lane.cjs')).filter((pid) => !read(pid, 'cmdline').startsWith('bwrap'));
}

export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(pid, 'status'))?.[1] ?? 0) * 1024;
}

/** Memory that a process shares with no other process. */
export function privateBytes(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(read(pid, 'status'))?.[1] ?? 0) * 1024;
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
