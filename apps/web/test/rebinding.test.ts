import { expect } from 'vitest';
import { reboundName, signIn, test } from './browser-test.ts';

test('A DNS-rebinding page gets no data, although the browser sees the same origin', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext();
  await signIn(context, server);
  const link = await server.signInLink();
  const before = await server.state();

  const page = await context.newPage();
  const landing = await page.goto(`http://${reboundName}:${new URL(server.url).port}/`);
  expect(landing?.status()).toBe(421);
  expect(await page.content()).not.toContain('<script');

  const answers = await page.evaluate(async (code) => {
    const json = { 'content-type': 'application/json' };
    const requests: [string, RequestInit][] = [
      ['/', {}],
      ['/v1/health', {}],
      ['/v1/me', { headers: { 'x-executor-proof': 'guess' } }],
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
  expect(await server.state()).toEqual(before);

  const owner = await browser.newContext();
  await signIn(owner, { signInLink: async () => link });
  await Promise.all([context.close(), owner.close()]);
});
