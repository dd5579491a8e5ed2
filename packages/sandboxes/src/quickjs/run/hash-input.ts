import { hash } from 'node:crypto';

const characters = 22;
const whole = Buffer.alloc(43);

/** Identifies a call's input in the journal. The result is a copy: a slice would keep the whole hash in memory for each call of each run. */
export function hashInput(json: string): string {
  whole.write(hash('sha256', json, 'base64url'), 'latin1');
  return whole.toString('latin1', 0, characters);
}
