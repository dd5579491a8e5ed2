import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Daemon } from './daemon.ts';

/** The name under which a DNS-rebinding page reaches this machine. */
export const reboundName = 'evil.test';

/** A real Chromium that talks to nobody but loopback. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = inject('chromium');
  if (executablePath === '')
    throw new Error('There is no browser; the start of this test run says how to get one.');
  return chromium.launch({
    executablePath,
    // Chromium refuses to sandbox the processes of root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=MAP ${reboundName} 127.0.0.1`,
    ],
  });
}

/** A tab that a fresh link has signed in. */
export async function signIn(context: BrowserContext, daemon: Daemon): Promise<Page> {
  const page = await context.newPage();
  await page.goto(await daemon.signInLink());
  await page.getByRole('heading', { name: 'Executor is running' }).waitFor();
  return page;
}

/** A tab that is signed in, at a path of the server. */
export async function openSignedIn(
  context: BrowserContext,
  { url, client }: Pick<Daemon, 'url' | 'client'>,
  path: string,
): Promise<Page> {
  const page = await context.newPage();
  const link = await client.sessions.createLink();
  await page.goto(link.url);
  await page.getByRole('navigation').waitFor();
  await page.goto(url + path);
  return page;
}

/** What a browser profile did, as its owner could see it in the developer tools. */
export interface Observations {
  /** Errors and violations of the content security policy among them. */
  console: string[];
  requests: { url: string; headers: Record<string, string> }[];
}

/** Must be called before the context opens its first page. */
export function observe(context: BrowserContext): Observations {
  const seen: Observations = { console: [], requests: [] };
  context.on('console', (message) => seen.console.push(`${message.type()}: ${message.text()}`));
  context.on('weberror', (error) => seen.console.push(`uncaught: ${error.error().message}`));
  context.on('request', async (request) => {
    const entry = { url: request.url(), headers: request.headers() };
    seen.requests.push(entry);
    entry.headers = await request.allHeaders().catch(() => entry.headers);
  });
  return seen;
}
