import { readdirSync, readFileSync } from 'node:fs';

const pageBytes = 4_096;

/** Memory of this process and, if the system reports it, of its children. */
export function residentMegabytes(): number {
  return Math.round((process.memoryUsage.rss() + childrenBytes()) / 1024 / 1024);
}

function childrenBytes(): number {
  try {
    let bytes = 0;
    for (const task of readdirSync('/proc/self/task')) {
      const children = readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
      for (const child of children)
        bytes += Number(readFileSync(`/proc/${child}/statm`, 'utf8').split(' ')[1]) * pageBytes;
    }
    return bytes;
  } catch {
    return 0;
  }
}
