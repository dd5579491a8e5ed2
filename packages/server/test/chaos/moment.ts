import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

const maxMs = 2_000;

/**
 * Waits for a random point of the work: a write in flight, or a number of requests. A random time would not do, because a slow machine
 * spends most of it on starting processes. If nothing happens, the wait ends after two seconds.
 */
export async function randomMoment(ledger: Ledger, random: () => number): Promise<void> {
  const deadline = Date.now() + maxMs;
  const inWrite = random() < 0.6;
  const count = ledger.entries.length + 1 + Math.floor(random() * 25);
  const isReached = () => (inWrite ? isWriting(ledger) : ledger.entries.length >= count);
  while (!isReached() && Date.now() < deadline) await sleep(10);
  await sleep(random() * 60);
}

function isWriting({ entries }: Ledger): boolean {
  return entries.some(({ state, operation }) => state === 'inFlight' && operation === 'write');
}
