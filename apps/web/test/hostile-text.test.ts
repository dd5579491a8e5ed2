import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { type Observations, observe, signIn, test } from './browser-test.ts';
import type { WebServer } from './web-server.ts';

/** Texts with which an agent could disguise a request or run code in the page. */
const hostile = {
  markup: '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script><b>bold</b>',
  bidi: 'pay 1\u202e000,000,1\u202c to \u2066bob\u2069',
  unseen: 'a\u200bdmin\u00a0\u3164 \u{e0061}\u{e0062}',
  ansi: '\u001b[2J\u001b[31mharmless\u001b[0m\u0007',
  newlines: 'tea",\n  "approved": true,\n  "x": "',
  link: 'javascript:alert(1)',
  lookalike: 'p\u0430ypal.com',
};
const text = Object.values(hostile).join(' | ');

let server: WebServer;
let context: BrowserContext;
let seen: Observations;
let page: Page;

test.beforeAll(async ({ browser, server: shared, shop: _ }) => {
  server = shared;
  context = await browser.newContext();
  seen = observe(context);
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
      console.error(`violated: ${violatedDirective}`),
    );
  });
  page = await signIn(context, server);
});
afterAll(() => context?.close());
afterEach(() => server.cancelRuns());

async function ask(code: string) {
  const created = await server.client.executions.create({
    code,
    waitMs: 20_000,
    clientId: 'mark\u202eup <i>',
  });
  return { id: created.id, path: new URL(created.interactions[0]?.url ?? '').pathname };
}

/** The visible text of a box. */
const shown = (label: string) => page.getByRole('region', { name: label }).textContent();

test('Hostile text does not run and cannot disguise itself', async () => {
  const code = `console.log(${JSON.stringify(text)}); return tools.shop.orders.create({ item: ${JSON.stringify(text)} })`;
  const { id, path } = await ask(code);
  await page.goto(`${server.url}/approvals`);
  await page.getByRole('list', { name: 'Waiting for an answer' }).getByRole('link').first().waitFor();
  await page.goto(server.url + path);
  await page.getByRole('button', { name: 'Approve once' }).waitFor();

  for (const label of ['What will be sent', 'What the code passed']) {
    const content = (await shown(label)) ?? '';
    expect(content).toContain('<b>bold</b>');
    expect(content).toContain('pay 1U+202E000,000,1U+202C to U+2066bobU+2069');
    expect(content).toContain('aU+200BdminU+00A0U+3164 U+E0061U+E0062');
    expect(content).toContain('\\u001b[2J\\u001b[31mharmless\\u001b[0m\\u0007');
    expect(content).toContain('pU+0430ypal.com');
    expect(content, 'quotes inside a text stay inside it').toContain('tea\\",\\n  \\"approved\\": true');
    expect(content).not.toMatch(/[\u200b\u202e\u00a0]|(?!\n)\p{Cc}/u);
  }
  await page.getByText('markU+202Eup <i>').waitFor();
  expect(await page.getByText('markU+202Eup <i>').count()).toBe(1);
  await page.getByRole('button', { name: 'Approve and remember' }).click();
  expect(await page.getByLabel('Value of condition 1').inputValue()).not.toMatch(/[\u200b\u202e\u00a0]/);
  await page.keyboard.press('Escape');

  await page.goto(`${server.url}/executions/${id}`);
  await page.getByRole('region', { name: 'Logs' }).last().waitFor();
  const logs = (await page.getByRole('region', { name: 'Logs' }).last().textContent()) ?? '';
  expect(logs).toContain('U+001B[31mharmless');
  expect(logs).not.toMatch(/[\u200b\u202e]|(?!\n)\p{Cc}/u);

  expect(await page.locator('main img, main script, main b, main i').count()).toBe(0);
  expect(await page.title()).not.toContain('owned');
  expect(seen.console).toEqual([]);
});

test('A very long text is folded with its length, and can be expanded', async () => {
  const { path } = await ask(
    'return tools.shop.orders.create({ item: "begin" + "x".repeat(100 * 1024) + "end of it", note: "\\u200b".repeat(5000) })',
  );
  await page.goto(server.url + path);
  const box = page.getByRole('region', { name: 'What the code passed' });
  const open = box.getByRole('button', { name: 'Show all 102,416 characters' });
  await open.waitFor();
  expect(await box.textContent()).toContain('U+200B ×');
  expect(await box.textContent()).not.toContain('end of it');
  await open.click();
  expect(await box.textContent()).toContain('end of it"');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBe(0);
  // The body is too long for a preview. Its length and hash are shown instead.
  expect(await shown('What will be sent')).toMatch(
    /The body has 1\d\d,\d{3} bytes \(application\/json\), too many to show.*SHA-256 [0-9a-f]{64}$/,
  );
  expect(seen.console).toEqual([]);
});
