import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeEach, expect } from 'vitest';
import { signIn, test } from './browser-test.ts';
import { startWebServer, type WebServer } from './web-server.ts';

/** Not the shared server: the page shows the first keys and settings of a new workspace. */
let server: WebServer;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  server = await startWebServer();
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await signIn(context, server);
});
afterAll(async () => {
  await context?.close();
  await server?.remove();
});
beforeEach(async () => {
  const isHome = page.url() === `${server.url}/` && (await page.getByRole('dialog').count()) === 0;
  if (!isHome) await page.goto(server.url);
  await page.getByRole('heading', { name: 'Executor is running' }).waitFor();
});

const button = (name: string) => page.getByRole('button', { name });

async function createKey(name: string, kind: 'Agent' | 'Person'): Promise<string> {
  await button('New key').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('radio', { name: kind }).check();
  await button('Create key').click();
  return page.getByLabel(`${kind} key`, { exact: true }).inputValue();
}

function me(key: string): Promise<Response> {
  return fetch(`${server.url}/v1/me`, { headers: { 'x-api-key': key } });
}

test('The home page shows workspace, account, version and database', async () => {
  const me = await server.client.me.get();
  const facts = page.getByRole('region', { name: 'Executor is running' });
  for (const [name, value] of [
    ['Workspace', me.workspace.name],
    ['Organization', me.organization.name],
    ['Account', me.actor.name],
    ['Version', me.server.version],
    ['Database', 'PGlite'],
  ] as const) {
    const fact = facts.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    expect(await fact.textContent()).toContain(value);
  }
});

test('An empty list of keys explains keys and how to create one', async () => {
  await page.getByText('There are no keys yet.').waitFor();
  await page.getByText('executor keys create my-agent').waitFor();
});

test('A key is shown once, works until it is revoked, and then fails at once', async () => {
  const key = await createKey('laptop', 'Agent');
  await page.getByText('Copy the key now. It is not shown again.').waitFor();
  await button('Copy: Agent key').click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

  const answer = await me(key);
  expect([answer.status, (await answer.json()).principal.kind]).toEqual([200, 'agent']);

  await button('Done').click();
  await page.reload();
  const row = page.getByRole('list', { name: 'API keys' }).getByRole('listitem');
  await row.getByText('Last used just now').waitFor();
  expect(await page.content()).not.toContain(key);

  await button('Revoke laptop').click();
  await button('Cancel').click();
  expect((await me(key)).status).toBe(200);

  await button('Revoke laptop').click();
  await button('Revoke key').click();
  await page.getByText('All keys are revoked.').waitFor();
  expect((await me(key)).status).toBe(401);

  await button('Show revoked keys (1)').click();
  await row.getByText('Revoked just now').waitFor();
  const activity = page.getByRole('list', { name: 'Activity' });
  await activity.getByText('Created the agent key “laptop”').waitFor();
  await activity.getByText('Revoked the key').waitFor();
});

test('A key that may approve in a dialog is marked, and can lose that permission', async () => {
  const { id } = await server.client.apiKeys.create({ name: 'editor', kind: 'agent', allowDialog: true });
  const row = page
    .getByRole('list', { name: 'API keys' })
    .getByRole('listitem')
    .filter({ hasText: 'editor' });
  await page.reload();
  await row.getByText('may approve').waitFor();
  await button('Stop approvals in the dialog of editor').click();
  await button('Stop it').click();
  await row.getByText('may approve').waitFor({ state: 'detached' });
  const { items } = await server.client.apiKeys.list();
  expect(items.find((key) => key.id === id)).toMatchObject({ allowDialog: false });
  const activity = page.getByRole('list', { name: 'Activity' });
  await activity.getByText('Stopped allowing the key “editor” to approve').waitFor();
});

test('Revoking a key that is revoked already shows the server’s message', async () => {
  await createKey('contested', 'Person');
  await button('Done').click();
  await button('Revoke contested').click();
  const contested = (await server.client.apiKeys.list()).items.find(({ name }) => name === 'contested');
  await server.client.apiKeys.remove({ id: contested?.id ?? '' });
  await button('Revoke key').click();
  await button('Revoke contested').waitFor({ state: 'detached' });
  await page.getByText('that could be revoked. executor keys ls lists them.').waitFor();
});

test('The workspace can be renamed, and an invalid name shows the server’s message', async () => {
  await button('Rename the workspace').click();
  const field = page.getByLabel('Workspace name');
  await field.fill('bell\u0007');
  await page.keyboard.press('Enter');
  await page
    .getByRole('alert')
    .getByText('The body is invalid: workspaceName: must not contain control characters.')
    .waitFor();
  expect(await server.client.settings.get()).toMatchObject({ workspaceName: 'Default' });

  await field.fill('Workshop');
  await button('Save').click();
  await field.waitFor({ state: 'detached' });
  await page.getByText('Workshop', { exact: true }).waitFor();
  await page.getByText('Renamed the workspace from “Default” to “Workshop”').waitFor();
  expect(await server.client.settings.get()).toMatchObject({ workspaceName: 'Workshop' });
});

test('A dialog works by keyboard, closes with Escape, and restores the focus', async () => {
  await button('New key').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New API key' }).waitFor();
  await page.keyboard.type('typed');
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('typed');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await button('New key').evaluate((element) => element === document.activeElement)).toBe(true);
});

test('Text that looks like HTML is shown as text', async () => {
  const name = '<img src=x onerror=alert(1)><b>bold</b>';
  await createKey(name, 'Agent');
  await button('Done').click();
  await page.getByRole('list', { name: 'API keys' }).getByText(name, { exact: true }).waitFor();
});

test('A phone shows the home page without sideways scrolling', async () => {
  await createKey('n'.repeat(100), 'Agent');
  await button('Done').click();
  await page.setViewportSize({ width: 320, height: 640 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBe(0);
  await button('New key').click();
  expect(await overflow()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
});

test('Every address opens the page, and an unknown one says so', async () => {
  for (const [path, heading] of [
    ['/approvals', 'Approvals'],
    ['/approvals/int_1', 'There is no such question'],
    ['/executions/exe_1', 'There is no such run'],
    ['/settings/of/nothing', 'There is no such page'],
  ] as const) {
    await page.goto(server.url + path);
    await page.getByRole('heading', { name: heading }).waitFor();
  }
});
