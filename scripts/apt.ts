import { type SpawnSyncOptions, spawnSync } from 'node:child_process';

/** Installs a package of Debian or Ubuntu. Returns whether it could try, which needs root and apt. */
export function installWithApt(name: string, purpose: string): boolean {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || spawnSync('apt-get', ['--version']).status !== 0) return false;
  console.log(`Installing ${name} for ${purpose} (apt-get install ${name}): this may take a minute …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  tryRun('apt-get', ['update'], { env });
  tryRun('apt-get', ['install', '-y', '--no-install-recommends', name], { env });
  return true;
}

/** Prints the error if the program fails. The caller then tries another method. */
export function tryRun(program: string, args: string[], options: SpawnSyncOptions = {}): void {
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (status !== 0) console.error(`${[program, ...args].join(' ')} failed:\n${stdout}${stderr}`);
}
