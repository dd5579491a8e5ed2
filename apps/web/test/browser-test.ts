import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { test as baseTest, inject } from 'vitest';
import { startShopApi } from './shop-api.ts';
import { startWebServer, type WebServer } from './web-server.ts';

/**
 * The set-up of all browser tests: one Chromium, one server and one API that it calls for each vitest worker. The test files of a worker
 * run one after the other. Each opens contexts of its own, and leaves no questions, rules or settings behind.
 */
export const test = baseTest
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from the pattern
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  // biome-ignore lint/correctness/noEmptyPattern: as above
  .extend('server', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const server = await startWebServer();
    onCleanup(() => server.remove());
    return server;
  })
  .extend('shop', { scope: 'worker' }, async ({ server }, { onCleanup }) => {
    const shop = await startShopApi();
    onCleanup(() => shop.stop());
    await shop.connect(server);
    return shop;
  });

/** The name under which a DNS-rebinding page reaches this machine. */
export const reboundName = 'evil.test';

/** A real Chromium that reaches only loopback addresses. */
function launchBrowser() {
  const executablePath = inject('chromium');
  if (executablePath === '')
    throw new Error('There is no browser. The start of this test run says how to install one.');
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
      // A page starts no spare process. Pages of different sites still have processes of their own.
      '--renderer-process-limit=1',
      `--host-resolver-rules=MAP ${reboundName} 127.0.0.1`,
    ],
  });
}

/** Opens a tab and signs it in with a new link. */
export async function signIn(context: BrowserContext, server: Pick<WebServer, 'signInLink'>): Promise<Page> {
  const page = await context.newPage();
  await page.goto(await server.signInLink());
  await page.getByRole('heading', { name: 'Executor is running' }).waitFor();
  return page;
}

/** What a browser context did, as the developer tools show it. */
export interface Observations {
  /** Includes errors and violations of the content security policy. */
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
