import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from './environment.ts';

/** Opens a link with the desktop's opener. Returns false if there is none. An opener that still runs after a while has opened something. */
export async function openInBrowser(environment: Environment, url: string): Promise<boolean> {
  const [program, ...args] = opener(environment, url);
  if (program === undefined) return false;
  const child = spawn(program, args, { env: environment.variables, stdio: 'ignore', detached: true });
  const opened = await Promise.race([
    once(child, 'exit').then(([code]) => code === 0),
    sleep(3_000, true, { ref: false }),
  ]).catch(() => false);
  child.unref();
  return opened;
}

function opener(environment: Environment, url: string): string[] {
  switch (process.platform) {
    case 'darwin':
      return ['open', url];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', url];
    default:
      return environment.variables.DISPLAY || environment.variables.WAYLAND_DISPLAY ? ['xdg-open', url] : [];
  }
}
