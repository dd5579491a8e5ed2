import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, reboundName, signIn } from './browser.ts';
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

test('a page whose name was pointed at this machine gets nothing, though it is of our origin to the browser', async () => {
  const context = await browser.newContext();
  await signIn(context, daemon);
  const link = await daemon.signInLink();
  const before = await daemon.state();

  const page = await context.newPage();
  const landing = await page.goto(`http://${reboundName}:${new URL(daemon.url).port}/`);
  expect(landing?.status()).toBe(421);
  expect(await page.content()).not.toContain('<script');

  const answers = await page.evaluate(async (code) => {
    const json = { 'content-type': 'application/json' };
    const requests: [string, RequestInit][] = [
      ['/', {}],
      ['/v1/health', {}],
      ['/v1/me', { headers: { 'x-executor-session': 'ext_guess' } }],
      ['/v1/sessions', { method: 'POST', headers: json, body: JSON.stringify({ code }) }],
      ['/v1/sessions/links', { method: 'POST' }],
      ['/v1/api-keys', { method: 'POST', headers: json, body: '{"name":"stolen"}' }],
    ];
    return Promise.all(
      requests.map(async ([path, init]) => {
        const answer = await fetch(path, init);
        return [path, answer.status, Object.keys(await answer.json())];
      }),
    );
  }, new URL(link).hash.slice('#sign-in='.length));
  expect(answers.map(([, status, keys]) => [status, keys])).toEqual(answers.map(() => [421, ['error']]));
  expect(await daemon.state()).toEqual(before);

  const owner = await (await browser.newContext()).newPage();
  await owner.goto(link);
  await owner.getByRole('heading', { name: 'Executor is running' }).waitFor();
});
