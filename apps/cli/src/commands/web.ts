import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../connect.ts';
import { printJson } from '../output.ts';

export async function web({
  print = false,
  json = false,
}: {
  print?: boolean;
  json?: boolean;
}): Promise<void> {
  const client = await connect();
  const link = await client.sessions.createLink();
  if (json) return printJson(link);
  if (print) return console.log(link.url);
  if (await openInBrowser(link.url)) console.log(`Opened ${new URL(link.url).origin} in the browser.`);
  else
    console.log(
      `No browser could be opened here. Open this link yourself, within five minutes; it works once:\n${link.url}`,
    );
}

/** Hands the link to the desktop; false where there is none. An opener that is still there after a while has opened something. */
async function openInBrowser(url: string): Promise<boolean> {
  const [program, ...args] = opener(url);
  if (program === undefined) return false;
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  const opened = await Promise.race([
    once(child, 'exit').then(([code]) => code === 0),
    sleep(3_000, true),
  ]).catch(() => false);
  child.unref();
  return opened;
}

function opener(url: string): string[] {
  switch (process.platform) {
    case 'darwin':
      return ['open', url];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', url];
    default:
      return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open', url] : [];
  }
}
