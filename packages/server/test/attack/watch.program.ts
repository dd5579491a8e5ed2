import { setTimeout as sleep } from 'node:timers/promises';
import { diskUseOf, memoryOf } from '../process-memory.ts';

export interface WatchSettings {
  /** The processes to watch, with their descendants. */
  pids: number[];
  /** The folder to watch. */
  home: string;
}

export interface Peak {
  memoryMb: number;
  diskMb: number;
}

/**
 * `watch SETTINGS`: prints the largest memory of all processes together and the largest size of the folder, when its input ends. A read of
 * a process's memory waits until the system lets that process change its memory, which takes seconds if it has a low priority.
 */
const { pids, home } = JSON.parse(process.argv[2] ?? '') as WatchSettings;
let hasEnded = false;
process.stdin
  .on('end', () => {
    hasEnded = true;
  })
  .resume();

const peak: Peak = { memoryMb: 0, diskMb: 0 };
while (!hasEnded) {
  const memory = pids.reduce((sum, pid) => sum + memoryOf(pid), 0);
  peak.memoryMb = Math.max(peak.memoryMb, memory);
  peak.diskMb = Math.max(peak.diskMb, diskUseOf(home));
  await sleep(500);
}
console.log(JSON.stringify(peak));
process.exit(0);
