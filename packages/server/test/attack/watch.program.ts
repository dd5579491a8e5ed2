import { setTimeout as sleep } from 'node:timers/promises';
import { diskUseOf, memoryOf } from '../process-memory.ts';

export interface WatchSettings {
  /** The processes to watch, with their descendants. */
  pids: number[];
  /** The folder to watch. */
  home: string;
}

export interface Peak {
  /** The memory of one process with its descendants. In a company, each process has a machine of its own. */
  memoryMb: number;
  /** The memory of all processes together. */
  totalMemoryMb: number;
  diskMb: number;
}

/**
 * `watch SETTINGS`: prints the largest memory of the processes and the largest size of the folder, when its input ends. A read of
 * a process's memory waits until the system lets that process change its memory, which takes seconds if it has a low priority.
 */
const { pids, home } = JSON.parse(process.argv[2] ?? '') as WatchSettings;
let hasEnded = false;
process.stdin
  .on('end', () => {
    hasEnded = true;
  })
  .resume();

const peak: Peak = { memoryMb: 0, totalMemoryMb: 0, diskMb: 0 };
while (!hasEnded) {
  const memory = pids.map(memoryOf);
  const total = memory.reduce((sum, megabytes) => sum + megabytes, 0);
  peak.memoryMb = Math.max(peak.memoryMb, ...memory);
  peak.totalMemoryMb = Math.max(peak.totalMemoryMb, total);
  peak.diskMb = Math.max(peak.diskMb, diskUseOf(home));
  await sleep(500);
}
console.log(JSON.stringify(peak));
process.exit(0);
