import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { test } from './browser-test.ts';
import { startDaemon } from './daemon.ts';
import type { WebServer } from './web-server.ts';

let server: WebServer;
let context: BrowserContext;
let page: Page;

test.beforeAll(({ server: shared }) => {
  server = shared;
});
test.beforeEach(async ({ browser }) => {
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

async function enter(link: string): Promise<void> {
  await page.goto(link);
  await heading(page, 'Executor is running').waitFor();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name });

test('The link of `executor web` signs in, and is removed from address bar and history', async () => {
  const daemon = await startDaemon();
  try {
    await enter(await daemon.executor('web', '--print'));
    expect(page.url()).toBe(`${daemon.url}/`);
    await page.goto('about:blank');
    await page.goBack();
    expect(page.url()).toBe(`${daemon.url}/`);
  } finally {
    await daemon.stop();
  }
});

test('A link works once, and a used one explains how to get another', async ({ browser }) => {
  const link = await server.signInLink();
  await enter(link);

  const elsewhere = await browser.newContext();
  const late = await elsewhere.newPage();
  await late.goto(link);
  await heading(late, 'This link does not sign in').waitFor();
  expect(await late.getByRole('alert').textContent()).toBe(
    'This sign-in link was used before or has expired. Run executor web for a new one.',
  );
  expect(late.url()).toBe(`${server.url}/`);
  await elsewhere.close();
});

test('A used link does not end an existing session', async () => {
  const link = await server.signInLink();
  await enter(link);
  const second = await context.newPage();
  await second.goto(link);
  await heading(second, 'Executor is running').waitFor();
  await second.getByText('Personal').waitFor();
});

test('A reload and a second tab remain signed in', async () => {
  await enter(await server.signInLink());
  await page.reload();
  await heading(page, 'Executor is running').waitFor();
  const second = await context.newPage();
  await second.goto(server.url);
  await heading(second, 'Executor is running').waitFor();
});

test('Without a session the page explains how to sign in, with a command to copy', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(server.url);
  await heading(page, 'Sign in to Executor').waitFor();
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('executor web');
});

test('A link pasted over a signed-out page signs that page in, and the other tabs with it', async () => {
  const second = await context.newPage();
  await page.goto(server.url);
  await second.goto(server.url);
  await page.goto(await server.signInLink());
  await heading(page, 'Executor is running').waitFor();
  expect(page.url()).toBe(`${server.url}/`);
  await heading(second, 'Executor is running').waitFor();
});

test('Signing out ends the session in every tab and on the server', async () => {
  await enter(await server.signInLink());
  const second = await context.newPage();
  await second.goto(server.url);
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

test('The page notices an ended session at the next request', async () => {
  const { workspaceName } = await server.client.settings.get();
  await enter(await server.signInLink());
  await context.clearCookies();
  await page.getByRole('button', { name: 'Rename the workspace' }).click();
  await page.getByLabel('Workspace name').fill('Elsewhere');
  await page.keyboard.press('Enter');
  await heading(page, 'Your session has ended').waitFor();
  expect(await server.client.settings.get()).toMatchObject({ workspaceName });
});
