import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { signIn, test } from './browser-test.ts';
import type { WebServer } from './web-server.ts';

let server: WebServer;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser, server: shared, shop: _ }) => {
  server = shared;
  context = await browser.newContext();
  page = await signIn(context, server);
});
afterAll(() => context?.close());
afterEach(() => server.cancelRuns());

test('A run shows that its code has returned, and then the calls that the code did not await', async () => {
  const code = `tools.shop.orders.create({ item: 'tea' });
    tools.executor.artifacts.read({ id: 'art_none' });
    setTimeout(() => {}, 1e9);
    return 'done'`;
  const { id, interactions } = await server.client.executions.create({ code, waitMs: 20_000 });
  await page.goto(`${server.url}/executions/${id}`);
  await page.getByText('The code has returned.').waitFor();
  await server.client.interactions.resolve({ id: interactions[0]?.id ?? '', action: 'approve' });
  await page.getByRole('heading', { name: 'Calls that were not awaited' }).waitFor();
  const items = page.getByRole('listitem').filter({ hasText: /line \d/ });
  const texts = await items.allTextContents();
  expect(texts.map((text) => text.replace(/(line \d).*/, '$1'))).toEqual([
    'Failedexecutor.artifacts.readline 2',
    'Had not firedsetTimeoutline 3',
    'Succeededshop.orders.createline 1',
  ]);
});

test('A run without a result shows the hint to return it', async () => {
  const code = 'const rules = await tools.executor.policies.list();';
  const { id } = await server.client.executions.create({ code, waitMs: 20_000 });
  await page.goto(`${server.url}/executions/${id}`);
  await page.getByRole('heading', { name: 'Hints' }).waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: 'return' }).count()).toBe(1);
});
