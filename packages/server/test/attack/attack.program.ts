import { setMaxListeners } from 'node:events';
import { Socket } from 'node:net';
import { attackWith } from './attacks.ts';

export interface AttackSettings {
  url: string;
  keys: string[];
  forMs: number;
}

/** `attack SETTINGS`: attacks a server for a while, and prints how often each attack was carried out. */
const { url, keys, forMs } = JSON.parse(process.argv[2] ?? '') as AttackSettings;
process.stdin.on('end', () => process.exit(1)).resume();
if (process.stdin instanceof Socket) process.stdin.unref();

const signal = AbortSignal.timeout(forMs);
setMaxListeners(0, signal);
console.log(JSON.stringify(await attackWith(keys, { url, signal })));
process.exit(0);
