import { openSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../src/lock-file.ts';

/** `lock-holder LOCK LOG ROUNDS`: takes the lock ROUNDS times, as fast as it can, and logs each acquisition and release in LOG. */
const [lock = '', log = '', rounds = '1'] = process.argv.slice(2);
const notes = openSync(log, 'a');

for (let round = 0; round < Number(rounds); ) {
  const attempt = acquireLock(lock);
  if (attempt.type === 'acquired') {
    round += 1;
    writeSync(notes, `taken ${process.pid}\n`);
    await sleep(Math.random() * 3);
    writeSync(notes, `released ${process.pid}\n`);
    attempt.lock.release();
  }
  await sleep(Math.random() * 3);
}
