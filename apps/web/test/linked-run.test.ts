import { createClient } from '@executor/client';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { signIn, test } from './browser-test.ts';
import type { WebServer } from './web-server.ts';

let server: WebServer;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser, server: sharedServer, shop: _ }) => {
  server = sharedServer;
  context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  page = await signIn(context, server);
});
afterAll(() => context?.close());
afterEach(() => server.cancelRuns());

/** Starts a run with this many approvals and returns the address that its agent passes on. */
async function ask(token: string, name: string, count: number): Promise<{ id: string; url: string }> {
  const orders = Array.from(
    { length: count },
    (_, n) => `tools.shop.orders.create({ item: "${name} ${n}" })`,
  );
  const client = createClient({ url: server.url, token });
  const code = `return Promise.allSettled([${orders}])`;
  const { id } = await client.executions.create({ code, waitMs: 20_000 });
  return { id, url: `${server.url}/approvals#${id}` };
}

async function newKey(name: string): Promise<string> {
  return (await server.client.apiKeys.create({ name, kind: 'agent' })).key;
}

const marked = () => page.locator('[aria-current=true]');

/** The group of the run is marked, visible from its heading on, and its first question has the focus. */
async function expectShown(id: string, from = page): Promise<void> {
  const group = from.locator('[aria-current=true]');
  await group.getByRole('heading', { name: `Run ${id}` }).waitFor();
  await expect
    .poll(() =>
      group.evaluate((element) => {
        const { top } = element.getBoundingClientRect();
        const first = element.querySelector('[data-interaction]');
        return { isVisible: top >= 0 && top < innerHeight / 2, isFocused: first === document.activeElement };
      }),
    )
    .toEqual({ isVisible: true, isFocused: true });
}

test('An address that names a run shows its group, also in a long or folded list', async () => {
  const busy = await newKey('linked-busy');
  const before = await ask(busy, 'before', 14);
  const { id, url } = await ask(busy, 'linked', 5);
  await ask(await newKey('linked-other'), 'after', 8);
  await page.goto(url);
  await expectShown(id);
  expect(await marked().getByRole('listitem').count()).toBe(5);

  // The address of another run in the open page.
  await page.goto(before.url);
  await expectShown(before.id);
  // The user has moved on, and the page does not pull them back.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const bottom = await page.evaluate(() => scrollY);
  await ask(busy, 'later', 1);
  await page.getByRole('heading', { name: 'linked-busy, 20 questions' }).waitFor();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(bottom);
});

test('The group is shown when the list loads late', async () => {
  const key = await newKey('linked-late');
  await ask(key, 'early', 12);
  const { id, url } = await ask(key, 'late', 4);
  const tab = await context.newPage();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await tab.route('**/v1/interactions?status=pending*', async (route) => {
    await held;
    await route.continue();
  });
  await tab.goto(url);
  await tab.getByLabel('Loading the questions').waitFor();
  release();
  await expectShown(id, tab);
  await tab.close();
});

test('The address is kept during the sign-in', async ({ browser }) => {
  const key = await newKey('linked-sign-in');
  await ask(key, 'early', 12);
  const { id, url } = await ask(key, 'mine', 4);
  const visitor = await browser.newContext();
  const tab = await visitor.newPage();
  await tab.goto(url);
  await tab.getByText('executor web').first().waitFor();
  await tab.goto(await server.signInLink());
  await expectShown(id, tab);
  await visitor.close();
});

test('A run without pending questions is named, with a link to its page', async () => {
  const { id, url } = await ask(await newKey('linked-done'), 'done', 4);
  await page.goto(url);
  await expectShown(id);
  await server.cancelRuns();
  await page.getByText('has no pending questions').waitFor();
  await page.getByRole('link', { name: id }).click();
  await page.getByRole('status').getByText('Cancelled').waitFor();
});
