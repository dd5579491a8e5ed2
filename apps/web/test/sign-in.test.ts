import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { signIn, test } from './browser-test.ts';
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
    'This sign-in link was used before, has expired, or is older than the last restart of the server. Run executor web for a new one.',
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
  const [cookies, stored] = [await context.cookies(), await page.evaluate(() => ({ ...localStorage }))];
  expect(cookies).toHaveLength(1);

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await heading(page, 'You are signed out').waitFor();
  await heading(second, 'You are signed out').waitFor();
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({});
  expect(await storedKeys(page)).toBe(0);

  await second.close();
  await context.addCookies(cookies);
  await page.evaluate((entries) => Object.assign(localStorage, entries), stored);
  await page.reload();
  await heading(page, 'Sign in again').waitFor();
  await page.getByText('This browser no longer has the key of your session.').waitFor();
});

test('A browser that has lost its key signs in again', async () => {
  await enter(await server.signInLink());
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase('executor').onsuccess = resolve;
      }),
  );
  await page.reload();
  await heading(page, 'Sign in again').waitFor();
  await enter(await server.signInLink());
});

test('A session of an earlier version ends with an explanation', async () => {
  await page.goto(server.url);
  await page.evaluate(() => localStorage.setItem('executor.session', 'ext_token'));
  await page.reload();
  await heading(page, 'Sign in once more').waitFor();
  await page.getByText('Executor was updated.').waitFor();
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({});
  await enter(await server.signInLink());
});

test('A browser that cannot store a key says so, and does not use up the link', async ({ browser }) => {
  const link = await server.signInLink();
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('not in a private window', 'InvalidStateError');
    };
  });
  await page.goto(link);
  await heading(page, 'This link does not sign in').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('does not let the page store a key');
  const ordinary = await browser.newContext();
  const other = await ordinary.newPage();
  await other.goto(link);
  await heading(other, 'Executor is running').waitFor();
  await ordinary.close();
});

test('A page that may not hold a key, as over plain HTTP from another machine, says what to do', async () => {
  await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined }));
  await page.goto(await server.signInLink());
  await heading(page, 'This link does not sign in').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('Put a TLS proxy in front of Executor');
});

test('Sessions are listed, and ended one by one or all together, at once', async ({ browser }) => {
  await server.client.sessions.removeAll();
  await enter(await server.signInLink());
  const others = await Promise.all([browser.newContext(), browser.newContext()]);
  const [second, third] = (await Promise.all(others.map((other) => signIn(other, server)))) as [Page, Page];
  await page.reload();
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(3);
  expect(await rows.filter({ hasText: 'this browser' }).count()).toBe(1);
  expect(await rows.first().textContent()).toContain('Chrome on Linux');

  await rows.getByRole('button', { name: 'Sign out Chrome on Linux' }).first().click();
  await expect.poll(() => rows.count()).toBe(2);
  const ended = () =>
    Promise.all([second, third].map((tab) => heading(tab, 'Your session has ended').count()));
  await expect.poll(async () => (await ended()).sort()).toEqual([0, 1]);

  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await heading(page, 'You are signed out').waitFor();
  await expect.poll(ended).toEqual([1, 1]);
  expect(await server.client.sessions.list()).toEqual({ items: [] });
  await Promise.all(others.map((other) => other.close()));
});

test('The page notices an ended session at the next request', async () => {
  const { workspaceName } = await server.client.settings.get();
  await enter(await server.signInLink());
  await page.getByRole('button', { name: 'Rename the workspace' }).waitFor();
  await context.clearCookies();
  await page.getByRole('button', { name: 'Rename the workspace' }).click();
  await page.getByLabel('Workspace name').fill('Elsewhere');
  await page.keyboard.press('Enter');
  await heading(page, 'Your session has ended').waitFor();
  expect(await server.client.settings.get()).toMatchObject({ workspaceName });
});

function storedKeys(tab: Page): Promise<number> {
  return tab.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('executor', 1);
        opening.onsuccess = () => {
          const count = opening.result.transaction('keys').objectStore('keys').count();
          count.onsuccess = () => {
            opening.result.close();
            resolve(count.result);
          };
        };
      }),
  );
}
