import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { type Observations, observe, test } from './browser-test.ts';
import { type ForeignServer, startForeignServer } from './foreign-server.ts';
import type { WebServer } from './web-server.ts';

let server: WebServer;
let foreign: ForeignServer;
let context: BrowserContext;
let seen: Observations;
let page: Page;

test.beforeAll(async ({ server: shared }) => {
  server = shared;
  foreign = await startForeignServer();
});
afterAll(() => foreign?.stop());
test.beforeEach(async ({ browser }) => {
  context = await browser.newContext();
  seen = observe(context);
  page = await context.newPage();
});
afterEach(() => context.close());

/** Does everything that the page can do once, and returns all secrets that it handled. */
async function useThePage(): Promise<Record<string, string>> {
  const link = await server.signInLink();
  await page.goto(link);
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name', { exact: true }).fill('laptop');
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByLabel('Agent key', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke laptop' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('button', { name: 'Rename the workspace' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const [cookie] = await context.cookies();
  await page.reload();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  const code = new URL(link).hash.slice('#sign-in='.length);
  return { code, key, cookie: cookie?.value ?? '' };
}

test('The content security policy blocks foreign scripts, inline scripts, eval and markup from text', async () => {
  await page.goto(server.url);
  await page.getByRole('heading', { name: 'Sign in to Executor' }).waitFor();
  const stopped = await page.evaluate(async (foreignUrl) => {
    const fails = (attempt: () => unknown) => {
      try {
        return attempt() === undefined;
      } catch {
        return true;
      }
    };
    const script = document.createElement('script');
    const refused = new Promise<boolean>((resolve) => {
      document.addEventListener('securitypolicyviolation', () => resolve(true), { once: true });
    });
    return {
      // In a timer, because code that a debugger evaluates may use eval.
      eval: await new Promise((resolve) =>
        setTimeout(() => resolve(fails(() => new Function('return 1')()))),
      ),
      markup: fails(() => {
        document.body.innerHTML = '<p>made of text</p>';
        return true;
      }),
      scriptOfText: fails(() => {
        script.text = 'window.ran = true';
        document.body.append(script);
        return (window as unknown as { ran?: true }).ran;
      }),
      foreignFetch: await fetch(foreignUrl).then(
        () => false,
        () => true,
      ),
      reported: await refused,
    };
  }, `http://127.0.0.1:${foreign.port}/`);
  expect(stopped).toEqual({
    eval: true,
    markup: true,
    scriptOfText: true,
    foreignFetch: true,
    reported: true,
  });
  expect(seen.console.some((line) => line.includes('Content Security Policy'))).toBe(true);
});

test('Ordinary use leaves the console empty, and no secret in an address, a Referer or the log', async () => {
  const secrets = await useThePage();
  // No error, and no violation of the content security policy.
  expect(seen.console).toEqual([]);
  await page.evaluate((url) => location.assign(url), `http://127.0.0.1:${foreign.port}/elsewhere`);
  await page.waitForURL('**/elsewhere');
  const left = foreign.requests.find(({ path }) => path === '/elsewhere');
  expect(left && left.headers.referer === undefined, 'the next page gets no Referer').toBe(true);
  const log = await server.logs();
  expect(log, 'the log lists the requests').toContain('/v1/sessions');

  expect(seen.requests.filter(({ headers }) => headers.referer)).toEqual([]);
  expect(
    seen.requests.filter(({ url }) => !url.startsWith(server.url) && !url.includes('/elsewhere')),
  ).toEqual([]);
  const addresses = seen.requests
    .map(({ url }) => new URL(url))
    .map(({ pathname, search }) => pathname + search);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(40);
    expect(
      addresses.filter((address) => address.includes(secret)),
      name,
    ).toEqual([]);
    expect(
      seen.console.filter((line) => line.includes(secret)),
      name,
    ).toEqual([]);
    expect(log.includes(secret), name).toBe(false);
  }
});
