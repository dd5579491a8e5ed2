import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import { signIn, test } from './browser-test.ts';
import { type ForeignServer, startForeignServer } from './foreign-server.ts';
import type { WebServer } from './web-server.ts';

/**
 * A page of another port, in the browser of a signed-in user. On `localhost` it is another site. On `127.0.0.1` it is the same site, so
 * the browser sends the cookie of Executor with its requests.
 */
let server: WebServer;
let foreign: ForeignServer;
let context: BrowserContext;
let attacker: Page;
let before: unknown;

test.beforeAll(async ({ browser, server: shared }) => {
  server = shared;
  foreign = await startForeignServer();
  context = await browser.newContext();
  await (await signIn(context, server)).close();
  attacker = await context.newPage();
});
afterAll(async () => {
  await context?.close();
  await foreign?.stop();
});

/** Has the form of a proof. */
const guess = `;${'A'.repeat(22)};${'A'.repeat(43)};${'A'.repeat(86)}`;

describe.each(['127.0.0.1', 'localhost'])('A page of another port of %s', (name) => {
  beforeEach(async () => {
    await attacker.goto(`http://${name}:${foreign.port}/`);
    before = await server.state();
  });

  test.each([
    ['with credentials', '/v1/me', { credentials: 'include' }],
    ['without asking for CORS', '/v1/me', { credentials: 'include', mode: 'no-cors' }],
    ['with a guessed proof', '/v1/me', { credentials: 'include', headers: { 'x-executor-proof': guess } }],
    ['with a guessed key', '/v1/me', { headers: { authorization: 'Bearer exa_0' } }],
    ['without a credential on a public route', '/v1/openapi.json', {}],
    ['of the page', '/', { credentials: 'include', mode: 'no-cors' }],
    [
      'that creates a link',
      '/v1/sessions/links',
      { method: 'POST', credentials: 'include', mode: 'no-cors' },
    ],
    [
      'that creates a key',
      '/v1/api-keys',
      { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"name":"stolen","kind":"person"}' },
    ],
    ['that signs out', '/v1/sessions/current', { method: 'DELETE', credentials: 'include' }],
  ] satisfies [string, string, RequestInit][])('gets no data by a fetch %s', async (_, path, init) => {
    const statuses = await statusesDuring(path, async () => {
      expect(await readByFetch(attacker, server.url + path, init)).toBe('nothing');
    });
    expect(statuses).toEqual([403]);
    expect(await server.state()).toEqual(before);
  });

  test.each([
    ['script', '/v1/openapi.json'],
    ['script', '/v1/me'],
    ['img', '/favicon.svg'],
    ['img', '/v1/me'],
  ] as const)('gets no data by a %s element of %s', async (element, path) => {
    const statuses = await statusesDuring(path, async () => {
      expect(await readByElement(attacker, element, server.url + path)).toBe('nothing');
    });
    expect(statuses).toEqual([403]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'changes nothing by a form that posts %s',
    async (encoding) => {
      const answered = attacker.waitForResponse((response) => response.url() === `${server.url}/v1/api-keys`);
      await attacker.evaluate(
        ({ encoding, action }) => {
          const form = document.createElement('form');
          Object.assign(form, { method: 'post', enctype: encoding, action });
          const field = document.createElement('input');
          Object.assign(field, { name: '{"name":"stolen","kind":"person","rest":"', value: '"}' });
          form.append(field);
          document.body.append(form);
          form.submit();
        },
        { encoding, action: `${server.url}/v1/api-keys` },
      );
      expect((await answered).status()).toBe(403);
      // The next test must not interrupt this navigation.
      await attacker.waitForURL(`${server.url}/v1/api-keys`);
      expect(await server.state()).toEqual(before);
    },
  );

  test.each(['/', '/v1/me'])('cannot put %s in a frame', async (path) => {
    await attacker.evaluate(
      (src) =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe');
          frame.onload = resolve;
          frame.src = src;
          document.body.append(frame);
        }),
      server.url + path,
    );
    await expect.poll(() => attacker.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  });

  test('cannot control a window of Executor that it opens', async () => {
    const opened = context.waitForEvent('page');
    await attacker.evaluate(
      (url) => Object.assign(window, { ours: open(`${url}/#sign-in=exc_guess`) }),
      server.url,
    );
    const ours = await opened;
    await ours.getByRole('heading', { name: 'Executor is running' }).waitFor();
    expect(await ours.evaluate(() => window.opener)).toBeNull();
    expect(
      await attacker.evaluate(() => (window as unknown as { ours: Window }).ours.closed),
      'the window looks closed to its opener',
    ).toBe(true);
    expect(await server.state()).toEqual(before);
    await ours.close();
  });
});

test('A server of another port that receives the cookie cannot use it', async () => {
  await attacker.goto(`http://127.0.0.1:${foreign.port}/v1/anything`);
  before = await server.state();

  const cookie = foreign.requests.find(({ path }) => path === '/v1/anything')?.headers.cookie ?? '';
  expect(cookie, 'cookies ignore ports').toMatch(/^executor_session_\w+=exs_/);
  expect(await attacker.evaluate(() => document.cookie)).toBe('');

  const origin = `http://127.0.0.1:${foreign.port}`;
  const attempts: [Record<string, string>, number][] = [
    [{ cookie }, 401],
    [{ cookie, 'x-executor-proof': guess }, 401],
    [{ cookie, 'x-executor-proof': cookie.split('=')[1] ?? '' }, 401],
    [{ cookie, authorization: `Bearer ${cookie.split('=')[1]}` }, 401],
    [{ cookie, origin }, 403],
    [{ cookie, 'sec-fetch-site': 'same-site' }, 403],
  ];
  for (const [headers, status] of attempts) {
    const answer = await fetch(`${server.url}/v1/api-keys`, { headers });
    expect([headers, answer.status]).toEqual([headers, status]);
    expect(Object.keys(await answer.json())).toEqual(['error']);
  }
  expect(await server.state()).toEqual(before);
});

test('The browser sends the cookie to every port, and Executor rejects it without a signature', async () => {
  await attacker.goto(`http://127.0.0.1:${foreign.port}/`);
  const another = await startForeignServer();
  const init: RequestInit = { credentials: 'include', mode: 'no-cors' };

  await readByFetch(attacker, `http://127.0.0.1:${another.port}/v1/me`, init);
  expect(another.requests[0]?.headers.cookie).toMatch(/^executor_session_\w+=exs_/);

  // The signed-in page may still request /v1/me, but not the keys.
  const statuses = await statusesDuring('/v1/api-keys', () =>
    readByFetch(attacker, `${server.url}/v1/api-keys`, init),
  );
  expect(statuses).toEqual([403]);
  await another.stop();
});

/** What a script of the page can read of a response; `nothing` if the browser blocks it. */
function readByFetch(page: Page, url: string, init: RequestInit): Promise<string> {
  return page.evaluate(
    ({ url, init }) =>
      fetch(url, init).then(
        async (answer) => `${answer.type} ${await answer.text()}`,
        () => 'nothing',
      ),
    { url, init },
  );
}

function readByElement(page: Page, element: 'script' | 'img', src: string): Promise<string> {
  return page.evaluate(
    ({ element, src }) =>
      new Promise((resolve) => {
        const probe = document.createElement(element);
        probe.onload = () => resolve('loaded');
        probe.onerror = () => resolve('nothing');
        probe.src = src;
        document.body.append(probe);
      }),
    { element, src },
  );
}

/** The statuses of the responses to `path` during the attack. They are read from the log, because the browser hides blocked responses even from its tools. */
async function statusesDuring(path: string, attack: () => Promise<unknown>): Promise<number[]> {
  const { length } = await server.logs();
  await attack();
  const statuses = async () =>
    (await server.logs())
      .slice(length)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter((entry) => entry.path === path)
      .map((entry) => entry.status);
  await expect.poll(statuses).not.toEqual([]);
  return statuses();
}
