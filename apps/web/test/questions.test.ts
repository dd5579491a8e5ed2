import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest';
import { type Observations, observe, signIn, test } from './browser-test.ts';
import type { WebServer } from './web-server.ts';

let server: WebServer;
let context: BrowserContext;
let seen: Observations;
let page: Page;

test.beforeAll(async ({ browser, server: shared }) => {
  server = shared;
  context = await browser.newContext();
  seen = observe(context);
  page = await signIn(context, server);
});
afterAll(() => context?.close());
beforeEach(() => {
  seen.console.length = 0;
});
afterEach(() => server.cancelRuns());

const button = (name: string) => page.getByRole('button', { name });

/** Starts a run that asks, and opens the page of the question. */
async function open(question: Record<string, unknown>): Promise<string> {
  const code = `return tools.desk.ask(${JSON.stringify(question)})`;
  const { id, interactions } = await server.client.executions.create({ code, waitMs: 20_000 });
  await page.goto(interactions[0]?.url ?? '');
  return id;
}

async function resultOf(id: string): Promise<unknown> {
  return (await server.client.executions.wait({ id, waitMs: 20_000 })).result;
}

describe('a form', () => {
  const request = {
    type: 'object',
    required: ['name', 'size'],
    properties: {
      name: { type: 'string', title: 'Your name', description: 'As on the letter' },
      count: { type: 'integer', title: 'How many', maximum: 5 },
      size: { title: 'Size', enum: ['small', 'large'] },
      urgent: { type: 'boolean', title: 'Urgent' },
      story: { type: 'string', title: 'Story', maxLength: 5_000 },
      tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
    },
  };

  test('is built from its schema, checked by page and server, and answered', async () => {
    const id = await open({ kind: 'elicitation', prompt: 'What shall it be?', request });
    await page.getByRole('heading', { name: 'What shall it be?' }).waitFor();
    await button('Send the answer').click();
    expect(await page.getByRole('alert').allTextContents()).toEqual([
      'This field is required.',
      'This field is required.',
    ]);
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('How many').fill('7');
    await page.getByLabel('Size').selectOption('large');
    await page.getByLabel('Urgent').check();
    await page.getByLabel('Story').fill('Once\nupon');
    await page.getByLabel('Tags').fill('["a"]');
    await button('Send the answer').click();
    await page.getByRole('alert').getByText('count').waitFor();
    await page.getByLabel('How many').fill('5');
    await button('Send the answer').click();
    await page.getByText('You answered it.').waitFor();
    const data = { name: 'Ada', count: 5, size: 'large', urgent: true, story: 'Once\nupon', tags: ['a'] };
    expect(await resultOf(id)).toEqual({ type: 'submitted', data });
    expect(seen.console.filter((line) => !line.includes('400'))).toEqual([]);
  });

  test('can be declined', async () => {
    const id = await open({ kind: 'elicitation', prompt: 'What shall it be?', request });
    await button('Decline').click();
    await page.getByText('You declined it.').waitFor();
    expect(await resultOf(id)).toEqual({ type: 'cancelled' });
  });
});

test('A credential is hidden while typed, and the page does not keep it', async () => {
  const id = await open({
    kind: 'credential',
    prompt: 'The key of the shop',
    request: { type: 'object', required: ['key'], properties: { key: { type: 'string', title: 'Key' } } },
  });
  expect(await page.getByLabel('Key').getAttribute('type')).toBe('password');
  await page.getByLabel('Key').fill('hush-hush-1234');
  await button('Send the answer').click();
  await page.getByText('You answered it.').waitFor();
  expect(await page.content()).not.toContain('hush-hush');
  expect(await resultOf(id)).toMatchObject({ type: 'submitted' });
});

test('An address is shown as a link with its host, and only for web addresses', async () => {
  const id = await open({
    kind: 'oauth',
    prompt: 'Sign in there',
    request: 'https://bank.test@evil.test/in?a=1',
  });
  const link = page.getByRole('link', { name: /evil/ });
  expect(await link.getAttribute('href')).toBe('https://bank.test@evil.test/in?a=1');
  expect(await link.getAttribute('rel')).toContain('noreferrer');
  expect(await link.locator('strong').textContent()).toBe('evil.test');
  await button('Done').click();
  await page.getByText('You answered it.').waitFor();
  expect(await resultOf(id)).toMatchObject({ type: 'submitted' });

  await open({ kind: 'oauth', prompt: 'Sign in there', request: { url: 'javascript:alert(1)' } });
  await page.getByText('not a web address').waitFor();
  expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
});

test('An expired question says so', async () => {
  await open({
    kind: 'elicitation',
    prompt: 'Quick!',
    withinMs: 3_000,
    request: { type: 'object', properties: {} },
  });
  await page.getByText('Expires', { exact: true }).waitFor();
  await page.getByText('This question expired before anybody answered it.').waitFor();
  expect(await button('Send the answer').count()).toBe(0);
});

test('An uncertain call is shown as such, and accepts a result', async ({ shop }) => {
  const rule = await server.client.policies.create({ pattern: 'shop.**', decision: 'allow' });
  try {
    const code = 'return [await tools.shop.orders.transfer({ item: "gold" })]';
    const { id } = await server.client.executions.create({ code });
    await expect.poll(() => shop.received).toContain('POST /transfers {"item":"gold"}');
    await server.stop();
    await server.start();

    await page.goto(`${server.url}/approvals`);
    await page.getByRole('link', { name: /Did it happen/ }).click();
    expect(await page.getByRole('region', { name: 'What was sent' }).textContent()).toContain('"gold"');
    await button('It happened…').click();
    await page.getByLabel('Result as JSON').fill('{ sent }');
    await button('Continue with this result').click();
    await page.getByRole('alert').getByText('Enter JSON').waitFor();
    await page.getByLabel('Result as JSON').fill('{ "sent": true }');
    await button('Continue with this result').click();
    await page.getByText('You gave its result.').waitFor();
    expect(await resultOf(id)).toEqual([{ sent: true }]);
    expect(shop.received.filter((line) => line.startsWith('POST /transfers'))).toHaveLength(1);
  } finally {
    await server.client.policies.remove({ id: rule.id });
  }
});
