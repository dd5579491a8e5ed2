import { createClient } from '@executor/client';
import type { Interaction } from '@executor/protocol';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { type Observations, observe, signIn, test } from './browser-test.ts';
import type { ShopApi } from './shop-api.ts';
import type { WebServer } from './web-server.ts';

let server: WebServer;
let shop: ShopApi;
let context: BrowserContext;
let seen: Observations;
let page: Page;

test.beforeAll(async ({ browser, server: sharedServer, shop: sharedShop }) => {
  [server, shop] = [sharedServer, sharedShop];
  context = await browser.newContext();
  seen = observe(context);
  page = await signIn(context, server);
});
afterAll(() => context?.close());
beforeEach(async () => {
  seen.console.length = 0;
  await openApprovals();
  await page.getByText('No pending questions').waitFor();
});
afterEach(() => server.cancelRuns());

/** Follows the link of the open page, which is quicker than another load. */
async function openApprovals(): Promise<void> {
  if (page.isClosed()) page = await context.newPage();
  const link = page.getByRole('navigation').getByRole('link', { name: /^Approvals/ });
  if ((await link.count()) > 0 && (await page.getByRole('dialog').count()) === 0) await link.click();
  else await page.goto(`${server.url}/approvals`);
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const waiting = () => page.getByRole('list', { name: 'Waiting for an answer' }).getByRole('listitem');

/** Waits for the first pending question and opens it. */
async function openFirst(): Promise<void> {
  await waiting().getByRole('link').first().click();
  await button('Approve once').waitFor();
}

/** Starts a run and returns it with its questions once it waits. */
async function ask(code: string): Promise<{ id: string; interactions: Interaction[] }> {
  const { id } = await server.client.executions.create({ code, waitMs: 20_000, clientId: 'a-client' });
  const { items } = await server.client.interactions.list({ executionId: id, status: 'pending' });
  return { id, interactions: items };
}

const order = (item: string) => `tools.shop.orders.create({ item: ${JSON.stringify(item)} })`;

async function resultOf(id: string): Promise<unknown> {
  const { status, result, error, interactions } = await server.client.executions.wait({ id, waitMs: 60_000 });
  expect({ status, error, interactions }).toEqual({
    status: 'completed',
    error: undefined,
    interactions: [],
  });
  return result;
}

test('An approval appears in an open page, and the run continues after the click', async () => {
  const appeared = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () =>
          document.body.textContent.includes('oolong') ? resolve(Date.now()) : requestAnimationFrame(look);
        look();
      }),
  );
  const { id, interactions } = await ask(`return ${order('oolong')}`);
  const appearedMs = (await appeared) - Date.parse(interactions[0]?.createdAt ?? '');
  await openFirst();
  expect(new URL(page.url()).pathname).toBe(`/approvals/${interactions[0]?.id}`);
  await page.getByRole('heading', { name: 'shop.orders.create' }).waitFor();
  const sent = page.getByRole('region', { name: 'What will be sent' });
  expect(await sent.locator('strong').allTextContents()).toEqual(['POST', new URL(shop.url).host]);
  expect(await sent.textContent()).toContain(`POST${shop.url}/orders`);
  expect(await sent.textContent()).toContain('{"item": "oolong"}');
  expect(await page.getByRole('region', { name: 'What the code passed' }).textContent()).toBe(
    '{"item": "oolong"}',
  );
  for (const text of ['Writes', 'a-client', 'a user’s own credential', id])
    await page.getByText(text, { exact: true }).waitFor();

  const before = shop.received.length;
  const clickedAt = await button('Approve once').evaluate((element: HTMLElement) => {
    element.click();
    return Date.now();
  });
  await page.getByText('You approved it.').waitFor();
  await page.getByText('The call was sent and succeeded.').waitFor();
  expect(await resultOf(id)).toEqual({ method: 'POST', order: { item: 'oolong' } });
  const { items } = await server.client.executions.calls({ id });
  const wentOnMs = Date.parse(items[0]?.dispatchedAt ?? '') - clickedAt;
  console.log(`an approval appeared after ${appearedMs} ms; the call left ${wentOnMs} ms after the click`);
  expect(shop.received.slice(before)).toEqual(['POST /orders {"item":"oolong"}']);

  await page.getByRole('link', { name: 'See the run' }).click();
  await page.getByRole('status').getByText('Completed').waitFor();
  expect(await page.getByRole('region', { name: 'Result' }).first().textContent()).toContain('"oolong"');
  await page.getByRole('list', { name: 'Calls' }).getByText('Done').waitFor();
  await page.getByRole('list', { name: 'Questions' }).getByText('Approved').waitFor();
  await openApprovals();
  await page.getByRole('list', { name: 'Recently answered' }).getByText('Approved').first().waitFor();
  expect(seen.console).toEqual([]);
});

test('An approved call that a new rule denies is shown as not sent', async () => {
  const { id } = await ask(`try { return await ${order('absinthe')} } catch (error) { return error.name }`);
  await openFirst();
  const rule = await server.client.policies.create({ pattern: 'shop.orders.create', decision: 'deny' });
  const before = shop.received.length;
  try {
    await button('Approve once').click();
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer.getByText('Approved, not sent').waitFor();
    await answer.getByText(`The call was not sent. Rule ${rule.id}`).waitFor();
    expect(await resultOf(id)).toBe('ToolDeniedError');
    expect(shop.received.slice(before)).toEqual([]);
    await openApprovals();
    await page.getByRole('list', { name: 'Recently answered' }).getByText('Approved, not sent').waitFor();
  } finally {
    await server.client.policies.remove({ id: rule.id });
  }
});

test('The reason of a denial reaches the code', async () => {
  const { id } = await ask(`try { return await ${order('rum')} } catch (error) { return error.message }`);
  await openFirst();
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByLabel('Why?').fill('No spirits, please');
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
  await page.getByText('You denied it.').waitFor();
  await page.getByText('No spirits, please').waitFor();
  expect(await resultOf(id)).toContain('No spirits, please');
});

test('A rule is shown before it is saved, and edits are saved', async () => {
  const { id } = await ask(`return [await ${order('tea')}, await ${order('teapot')}]`);
  await openFirst();
  await button('Approve and remember').click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Tools').inputValue()).toBe('shop.orders.create');
  expect(await dialog.getByLabel('Value of condition 1').inputValue()).toBe('"tea"');

  await dialog.getByLabel('Tools').fill('other.**');
  await button('Save the rule and approve').click();
  await dialog.getByRole('alert').getByText('this rule does not cover the call').waitFor();

  await dialog.getByLabel('Tools').fill('shop.orders.*');
  await dialog.getByLabel('Comparison of condition 1').selectOption('begins with');
  await dialog.getByLabel('Value of condition 1').fill('tea');
  await dialog.getByLabel('Note').fill('We drink it');
  await button('Save the rule and approve').click();
  await page.getByText('You approved it, and a rule was saved.').waitFor();
  expect(await resultOf(id)).toHaveLength(2);
  const { items } = await server.client.policies.list();
  expect(items).toEqual([
    expect.objectContaining({
      pattern: 'shop.orders.*',
      conditions: [{ field: 'item', prefix: 'tea' }],
      decision: 'allow',
      note: 'We drink it',
    }),
  ]);
  await server.client.policies.remove({ id: items[0]?.id ?? '' });
});

test('Identical calls of a run are approved together, others are not', async () => {
  const { id } = await ask(
    `return (await Promise.all([${order('a')}, ${order('a')}, ${order('b')}])).map(({ order }) => order.item)`,
  );
  await waiting().nth(2).waitFor();
  await page.getByRole('link', { name: /"a"/ }).first().click();
  await button('Approve all identical in this run').click();
  await page.getByText('You approved it, and all identical calls in this run.').waitFor();
  const left = await server.client.interactions.list({ executionId: id, status: 'pending' });
  expect(left.items.map(({ tool }) => tool?.input)).toEqual([{ item: 'b' }]);
  await page.getByRole('link', { name: 'Next question (1 left)' }).click();
  await button('Approve once').click();
  await page.getByText('You approved it.', { exact: true }).waitFor();
  expect(await resultOf(id)).toEqual(['a', 'a', 'b']);
});

test('Questions are grouped by key and run, and many of one key do not bury those of another', async () => {
  const askAs = async (name: string) => {
    const { key } = await server.client.apiKeys.create({ name, kind: 'agent' });
    const { executions } = createClient({ url: server.url, token: key });
    return async (items: string[]) => {
      const code = `return (await Promise.allSettled([${items.map(order)}])).map(({ status }) => status)`;
      return (await executions.create({ code, waitMs: 20_000 })).id;
    };
  };
  const [askMany, askOne] = [await askAs('busy-agent'), await askAs('quiet-agent')];
  const first = await askMany(Array.from({ length: 11 }, (_, n) => `first ${n}`));
  const quiet = await askOne(['quiet']);
  const second = await askMany(['second 0', 'second 1']);
  const busyKey = page.getByRole('region', { name: 'busy-agent, 13 questions' });
  const quietKey = page.getByRole('region', { name: 'quiet-agent, 1 question' });
  await busyKey.waitFor();
  const headings = page.getByRole('region', { name: 'Waiting' }).getByRole('heading', { level: 2 });
  expect(await headings.allTextContents()).toEqual(['busy-agent, 13 questions', 'quiet-agent, 1 question']);
  expect(await busyKey.getByRole('listitem').count()).toBe(10);
  expect(await quietKey.getByRole('heading', { level: 3 }).allTextContents()).toEqual([`Run ${quiet}`]);

  // The keyboard reaches the question of the other key.
  for (let row = 0; row < 11; row++) await page.keyboard.press('j');
  await page.keyboard.press('x');
  expect(await quietKey.getByRole('listitem').getByRole('checkbox').isChecked()).toBe(true);
  await page.keyboard.press('Escape');

  await busyKey.getByRole('button', { name: 'Show all 13 questions' }).click();
  expect(await busyKey.getByRole('listitem').count()).toBe(13);
  const runs = busyKey.getByRole('heading', { level: 3 });
  expect(await runs.allTextContents()).toEqual([`Run ${first}`, `Run ${second}`]);
  await busyKey.getByRole('button', { name: 'Show 10' }).click();

  await page.getByRole('checkbox', { name: `All approvals of run ${first}` }).check();
  await page.getByText('11 selected').waitFor();
  const all = busyKey.getByRole('checkbox', { name: 'All approvals of busy-agent' });
  expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
  await all.check();
  await page.getByText('13 selected').waitFor();
  await page.keyboard.press('d');
  const dialog = page.getByRole('dialog', { name: 'Deny these 13 calls?' });
  await dialog.getByRole('button', { name: 'Deny all' }).click();
  await busyKey.waitFor({ state: 'detached' });
  expect(await resultOf(first)).toEqual(Array(11).fill('rejected'));
  expect(await resultOf(second)).toEqual(['rejected', 'rejected']);
  const left = await server.client.interactions.list({ status: 'pending' });
  expect(left.items.map(({ executionId }) => executionId)).toEqual([quiet]);
});

test('Several questions are answered in one step, after all of them were shown', async () => {
  const { id } = await ask(
    `return (await Promise.all([${order('x')}, ${order('y')}, ${order('z'.repeat(20_000))}])).length`,
  );
  await waiting().nth(2).waitFor();
  // Enter approves calls that are completely visible.
  await waiting().filter({ hasText: '"x"' }).getByRole('checkbox').check();
  await button('Approve…').click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Approve it' });
  await expect.poll(() => confirm.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  for (const box of await page.getByRole('checkbox', { name: 'Select shop.orders.create' }).all())
    await box.check();
  await page.getByText('3 selected').waitFor();
  const { items } = await server.client.interactions.list({ executionId: id });
  await button('Approve…').click();
  const dialog = page.getByRole('dialog', { name: 'Approve these 3 calls once?' });
  for (const item of ['"x"', '"y"']) await dialog.getByText(item).waitFor();
  // A body that is shown only by its hash is shown with the input that it is built from.
  const passed = dialog.getByRole('region', { name: 'What the code passed' });
  expect(await passed.textContent()).toContain('{"item": "zzz');
  await passed.getByRole('button', { name: 'Show all 20,002 characters' }).waitFor();
  await page.keyboard.press('Enter');
  expect(await server.client.interactions.list({ executionId: id, status: 'resolved' })).toEqual({
    items: [],
  });
  await server.client.interactions.resolve({ id: items[0]?.id ?? '', action: 'approve' });
  await dialog.getByRole('button', { name: 'Approve all' }).click();
  await page
    .getByRole('dialog', { name: '2 of 3 answered' })
    .getByText('this answer changed nothing')
    .waitFor();
  await button('Close').click();
  expect(await resultOf(id)).toBe(3);
  await page.getByText('No pending questions').waitFor();
});

test('Enter does not approve calls that are folded or not visible', async () => {
  // Short enough to be in the request itself.
  const many = Array.from({ length: 8 }, (_, n) => order(`m${n}`));
  const { id } = await ask(`await Promise.all([${order('w'.repeat(2_000))}, ${many.join()}])`);
  await waiting().nth(8).waitFor();
  const folded = waiting().filter({ hasText: 'www' }).getByRole('checkbox');
  const short = waiting().filter({ hasText: /"m\d"/ });
  for (const [boxes, title] of [
    [[folded], 'Approve this call once?'],
    [(await short.all()).map((row) => row.getByRole('checkbox')), 'Approve these 8 calls once?'],
  ] as const) {
    for (const box of boxes) await box.check();
    await button('Approve…').click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const box of boxes) await box.uncheck();
  }
  expect(await server.client.interactions.list({ executionId: id, status: 'resolved' })).toEqual({
    items: [],
  });
});

test('Enter approves two selected calls, with the focus on a checkbox and in the dialog', async () => {
  // Tall enough to show both calls at once.
  onTestFinished(() => page.setViewportSize({ width: 1280, height: 720 }));
  await page.setViewportSize({ width: 1280, height: 1_200 });
  const { id } = await ask(`return (await Promise.all([${order('one')}, ${order('two')}])).length`);
  await waiting().nth(1).waitFor();
  for (const box of await waiting().getByRole('checkbox').all()) {
    await box.focus();
    await page.keyboard.press('Space');
  }
  await page.getByText('2 selected').waitFor();
  seen.requests.length = 0;
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Approve these 2 calls once?' });
  await dialog.waitFor();
  // The key that opens the dialog must not confirm it as well.
  expect(await dialog.getByRole('button', { name: 'Approve all' }).isEnabled()).toBe(true);
  expect((await server.client.interactions.list({ executionId: id, status: 'pending' })).items).toHaveLength(
    2,
  );
  expect(seen.requests.filter(({ url }) => url.includes('resolve'))).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await resultOf(id)).toBe(2);
});

test('The keys x, j, x and Enter show two calls, and another Enter approves them', async () => {
  // Tall enough to show both calls at once.
  onTestFinished(() => page.setViewportSize({ width: 1280, height: 720 }));
  await page.setViewportSize({ width: 1280, height: 1_200 });
  const { id } = await ask(`return (await Promise.all([${order('one')}, ${order('two')}])).length`);
  await waiting().nth(1).waitFor();
  seen.requests.length = 0;
  for (const key of ['x', 'j', 'x', 'Enter']) await page.keyboard.press(key);
  const dialog = page.getByRole('dialog', { name: 'Approve these 2 calls once?' });
  const confirm = dialog.getByRole('button', { name: 'Approve all' });
  await expect.poll(() => confirm.evaluate((element) => element === document.activeElement)).toBe(true);
  // The key that opens the dialog must not confirm it as well.
  const pending = await server.client.interactions.list({ executionId: id, status: 'pending' });
  expect(pending.items).toHaveLength(2);
  expect(seen.requests.filter(({ url }) => url.includes('resolve'))).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await resultOf(id)).toBe(2);
});

test('Escape closes the dialog, then clears the selection; Enter then opens the question', async () => {
  const { interactions } = await ask(`return ${order('one')}`);
  await waiting().first().waitFor();
  for (const key of ['x', 'Enter']) await page.keyboard.press(key);
  const dialog = page.getByRole('dialog', { name: 'Approve this call once?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('1 selected').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await button('Approve once').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/approvals/${interactions[0]?.id}`);
});

test('Enter scrolls until all selected calls were visible, then approves them', async () => {
  onTestFinished(() => page.setViewportSize({ width: 1280, height: 720 }));
  await page.setViewportSize({ width: 1280, height: 500 });
  const { id } = await ask(
    `return (await Promise.all([${order('long '.repeat(600))}, ${order('short')}])).length`,
  );
  await waiting().nth(1).waitFor();
  for (const key of ['j', 'x', 'j', 'x', 'a']) await page.keyboard.press(key);
  const dialog = page.getByRole('dialog', { name: 'Approve these 2 calls once?' });
  const readOn = dialog.getByRole('button', { name: 'Show more' });
  await readOn.waitFor();
  expect(await dialog.getByRole('button', { name: /Show all/ }).count()).toBe(1);
  for (let presses = 0; presses < 20 && (await readOn.count()) > 0; presses++)
    await page.keyboard.press('Enter');
  expect(await dialog.getByRole('button', { name: /Show all/ }).count()).toBe(0);
  const calls = dialog.getByRole('list', { name: 'Calls' });
  expect(
    await calls.evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop),
  ).toBeLessThanOrEqual(1);
  const pending = await server.client.interactions.list({ executionId: id, status: 'pending' });
  expect(pending.items).toHaveLength(2);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await resultOf(id)).toBe(2);
});

test('A second answer is rejected, and the first is shown', async () => {
  onTestFinished(() => page.close());
  const { interactions } = await ask(`return ${order('late')}`);
  const id = interactions[0]?.id ?? '';
  await page.goto(`${server.url}/approvals/${id}`);
  await button('Deny…').click();
  // Delays the page's reads, so that its answer is sent before it learns of the other one.
  let deliver = () => {};
  const delivered = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route('**/v1/interactions/*', async (route) => {
    if (route.request().method() === 'GET') await delivered;
    await route.continue();
  });
  await server.client.interactions.resolve({ id, action: 'approve' });
  await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('dialog').getByText('That stands; this answer changed nothing.').waitFor();
  deliver();
  const outcome = page.getByRole('region', { name: 'Answer' });
  await outcome.getByText('Your answer was too late').waitFor();
  await outcome.getByText('You approved it.', { exact: true }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await outcome.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('An open page shows answers of other clients and the end of the run', async () => {
  const first = await ask(`return ${order('elsewhere')}`);
  await page.goto(`${server.url}/approvals/${first.interactions[0]?.id}`);
  await button('Approve once').waitFor();
  await server.client.interactions.resolve({
    id: first.interactions[0]?.id ?? '',
    action: 'deny',
    reason: 'Answered by another client',
  });
  await page.getByText('Answered by another client').waitFor();
  expect(await button('Approve once').count()).toBe(0);

  const second = await ask(`return ${order('ended')}`);
  await page.goto(`${server.url}/approvals/${second.interactions[0]?.id}`);
  await button('Approve once').waitFor();
  await server.client.executions.cancel({ id: second.id });
  await page.getByText('This question was withdrawn').waitFor();
});

test('With presence on, the page asks for the PIN until it is right', async () => {
  const { id } = await ask(`return (await ${order('pin')}).order.item`);
  await server.client.presence.update({ mode: 'pin', pin: '4711' });
  try {
    await openFirst();
    await button('Approve once').click();
    await page.getByLabel('PIN', { exact: true }).fill('1234');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByLabel('PIN', { exact: true }).fill('4711');
    await page.keyboard.press('Enter');
    await page.getByText('You approved it.').waitFor();
    expect(await resultOf(id)).toBe('pin');

    await ask(`return ${order('none')}`);
    await page.getByRole('link', { name: /Next question/ }).click();
    await button('Approve once').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Enter your PIN' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('Nothing was changed, because no PIN was entered.').waitFor();
  } finally {
    await server.client.presence.update({ mode: 'off' }, { presence: '4711' });
  }
});

test('All actions work by keyboard', async () => {
  const { id } = await ask(
    `return (await Promise.allSettled([${order('one')}, ${order('two')}, ${order('three')}])).map((call) => call.status)`,
  );
  await waiting().nth(2).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const first = await waiting().first().textContent();
  await page.keyboard.press('j');
  expect(first).toContain(await focused());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('k');
  expect(first).toContain(await focused());

  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard' });
  await keys.waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  expect(await waiting().count()).toBe(3);

  await page.keyboard.press('a');
  const approve = page.getByRole('dialog', { name: 'Approve this call once?' });
  await approve.waitFor();
  await page.keyboard.press('Enter');
  // An event can shorten the list before the response closes the dialog, which takes all keys while it is open.
  await approve.waitFor({ state: 'detached' });
  await waiting().nth(2).waitFor({ state: 'detached' });

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await button('Approve once').waitFor();
  await page.keyboard.press('a');
  await page.getByText('You approved it.').waitFor();
  await page.keyboard.press('u');
  await waiting().first().waitFor();
  await waiting().nth(1).waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  expect(await waiting().first().textContent()).toContain(await focused());
  await page.keyboard.press('d');
  const deny = page.getByRole('dialog', { name: 'Deny this call?' });
  await deny.getByRole('button', { name: 'Deny' }).click();
  await deny.waitFor({ state: 'detached' });
  expect(((await resultOf(id)) as string[]).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

test('A phone shows the pages without sideways scrolling, in light and dark mode', async () => {
  onTestFinished(() => page.close());
  const { interactions } = await ask(
    `return Promise.all([tools.shop.orders.create({ item: ${JSON.stringify('wide'.repeat(200))}, note: "n".repeat(5000) }), tools.shop.orders.remove({ id: ${JSON.stringify('i'.repeat(300))} })])`,
  );
  await page.setViewportSize({ width: 360, height: 740 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${server.url}/approvals`);
    await waiting().nth(1).waitFor();
    expect(await overflow()).toBe(0);
    // The question with a long field is the last.
    for (const { id } of interactions.toSorted(
      (a, b) => -`${a.tool?.path}`.localeCompare(`${b.tool?.path}`),
    )) {
      await page.goto(`${server.url}/approvals/${id}`);
      await button('Approve once').waitFor();
      expect(await overflow()).toBe(0);
      const bar = await button('Deny…').boundingBox();
      expect((bar?.y ?? 1_000) + (bar?.height ?? 0), 'the answers are in sight').toBeLessThan(740);
    }
    await button('Approve and remember').click();
    await page.getByRole('note').getByText('The rule does not check note').waitFor();
    expect(await overflow()).toBe(0);
    await page.keyboard.press('Escape');
    await page.goto(`${server.url}/executions/${interactions[0]?.executionId}`);
    await page.getByRole('status').getByText('Waiting').waitFor();
    expect(await overflow()).toBe(0);
  }
});

test('A question opened without a session is shown after the sign-in', async ({ browser }) => {
  const { interactions } = await ask(`return ${order('return')}`);
  const path = `/approvals/${interactions[0]?.id}`;
  const elsewhere = await browser.newContext();
  const visitor = await elsewhere.newPage();
  await visitor.goto(server.url + path);
  await visitor.getByRole('heading', { name: 'Sign in to Executor' }).waitFor();
  const other = await elsewhere.newPage();
  await other.goto(await server.signInLink());
  await other.getByRole('heading', { name: 'shop.orders.create' }).waitFor();
  expect(new URL(other.url()).pathname).toBe(path);
  await visitor.getByRole('heading', { name: 'shop.orders.create' }).waitFor();
  await elsewhere.close();
});

test('The home page shows the number of pending questions and links to them', async () => {
  await ask(`return ${order('counted')}`);
  await page.goto(server.url);
  await page.getByRole('link', { name: /One question waits for an answer/ }).click();
  await waiting().first().waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Approvals 1 waiting' }).waitFor();
  await expect.poll(() => page.title()).toBe('(1) Approvals · Executor');
});
