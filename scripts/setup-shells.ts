import { spawnSync } from 'node:child_process';
import { installWithApt } from './apt.ts';

/** Installs the shells whose completion scripts `npm run test:long` tries, if they are missing and it can. */
export function ensureShells(): void {
  for (const shell of ['fish', 'zsh'])
    if (spawnSync(shell, ['-c', 'true']).status !== 0) installWithApt(shell, 'the tests of completion');
}
