import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type Daemon, startDaemon } from './daemon.ts';

let daemon: Daemon;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [daemon, browser] = await Promise.all([startDaemon(), launchBrowser()]);
  context = await browser.newContext();
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await daemon?.stop();
});
/** Nobody is signed in, as in a new profile of the browser. */
beforeEach(async () => {
  await page.goto(daemon.url);
  await page.evaluate(() => localStorage.clear());
  await context.clearCookies();
  await page.goto('about:blank');
});
afterEach(async () => {
  for (const other of context.pages()) if (other !== page) await other.close();
});

async function enter(link: string): Promise<void> {
  await page.goto(link);
  await heading(page, 'Executor is running').waitFor();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

test('the link of `executor web` signs in and leaves the address bar and the history', async () => {
  await enter(await daemon.executor('web', '--print'));
  expect(page.url()).toBe(`${daemon.url}/`);
  await page.goto('about:blank');
  await page.goBack();
  expect(page.url()).toBe(`${daemon.url}/`);
});

test('a link works once, and a used one says how to get another', async () => {
  const link = await daemon.signInLink();
  await enter(link);

  const elsewhere = await browser.newContext();
  const late = await elsewhere.newPage();
  await late.goto(link);
  await heading(late, 'This link does not sign in').waitFor();
  expect(await late.getByRole('alert').textContent()).toBe(
    'This sign-in link was used before or has expired. Run executor web for a new one.',
  );
  expect(late.url()).toBe(`${daemon.url}/`);
  await elsewhere.close();
});

test('a used link does not end a session that is there', async () => {
  const link = await daemon.signInLink();
  await enter(link);
  const second = await context.newPage();
  await second.goto(link);
  await heading(second, 'Executor is running').waitFor();
  await second.getByText('Personal').waitFor();
});

test('a reload and a second tab stay signed in', async () => {
  await enter(await daemon.signInLink());
  await page.reload();
  await heading(page, 'Executor is running').waitFor();
  const second = await context.newPage();
  await second.goto(daemon.url);
  await heading(second, 'Executor is running').waitFor();
});

test('without a session the page teaches how to sign in, with a command to copy', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(daemon.url);
  await heading(page, 'Sign in to Executor').waitFor();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('executor web');
});

test('a link pasted over a signed-out page signs that page in, and the other tabs with it', async () => {
  const second = await context.newPage();
  await page.goto(daemon.url);
  await second.goto(daemon.url);
  await page.goto(await daemon.signInLink());
  await heading(page, 'Executor is running').waitFor();
  expect(page.url()).toBe(`${daemon.url}/`);
  await heading(second, 'Executor is running').waitFor();
});

test('signing out ends the session in every tab and on the server', async () => {
  await enter(await daemon.signInLink());
  const second = await context.newPage();
  await second.goto(daemon.url);
  await heading(second, 'Executor is running').waitFor();
  const [cookies, token] = [await context.cookies(), await page.evaluate(() => ({ ...localStorage }))];
  expect(cookies).toHaveLength(1);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'You are signed out').waitFor();
  await heading(second, 'You are signed out').waitFor();
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({});

  await second.close();
  await context.addCookies(cookies);
  await page.evaluate((entries) => Object.assign(localStorage, entries), token);
  await page.reload();
  await heading(page, 'Your session has ended').waitFor();
});

test('a session that ended meanwhile is noticed at the next request', async () => {
  await enter(await daemon.signInLink());
  await context.clearCookies();
  await page.getByRole('button', { name: 'Rename the workspace' }).click();
  await page.getByLabel('Workspace name').fill('Elsewhere');
  await page.keyboard.press('Enter');
  await heading(page, 'Your session has ended').waitFor();
  expect(await daemon.client.settings.get()).toMatchObject({ workspaceName: 'Default' });
});
