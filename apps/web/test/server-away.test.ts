import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, signIn } from './browser.ts';
import { type Daemon, startDaemon } from './daemon.ts';

let daemon: Daemon;
let browser: Browser;

beforeAll(async () => {
  [daemon, browser] = await Promise.all([startDaemon(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await daemon?.stop();
});

test('a page whose server goes away says so, keeps trying, and recovers by itself', async () => {
  const page = await signIn(await browser.newContext(), daemon);
  const banner = page.getByText(`Nothing answers at ${daemon.url}. Trying again…`);
  await daemon.client.settings.update({ workspaceName: 'Renamed meanwhile' });
  await daemon.executor('down');
  await banner.waitFor();
  await page.getByRole('heading', { name: 'Executor does not answer' }).waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Not signed out.').waitFor();

  await daemon.executor('up');
  await banner.waitFor({ state: 'detached' });
  await page.getByText('Renamed meanwhile', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Executor is running' }).waitFor();
});

test('a link that is opened just as the server goes away signs in once it is back', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(daemon.url);
  const link = await daemon.signInLink();
  await daemon.executor('down');
  await page.goto(link);
  await page.getByRole('heading', { name: 'Signing in…' }).waitFor();
  await daemon.executor('up');
  await page.getByRole('heading', { name: 'Executor is running' }).waitFor();
  expect(page.url()).toBe(`${daemon.url}/`);
});
