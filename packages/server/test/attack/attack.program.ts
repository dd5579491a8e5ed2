import { setMaxListeners } from 'node:events';
import { attackWith } from './attacks.ts';

export interface AttackSettings {
  url: string;
  keys: string[];
}

/** `attack SETTINGS`: attacks a server until its input ends, and prints how often each attack was carried out. */
const { url, keys } = JSON.parse(process.argv[2] ?? '') as AttackSettings;
const stopping = new AbortController();
process.stdin.on('end', () => stopping.abort()).resume();

const { signal } = stopping;
setMaxListeners(0, signal);
console.log(JSON.stringify(await attackWith(keys, { url, signal })));
process.exit(0);
