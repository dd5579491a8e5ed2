import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser, signIn } from './browser.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { type ForeignServer, startForeignServer } from './foreign-server.ts';

/**
 * A page of another port, in the browser of somebody who is signed in. Beside `localhost` it is of another site; beside `127.0.0.1`, of the
 * same one: the browser then sends our cookie along with all that it asks for.
 */
let daemon: Daemon;
let foreign: ForeignServer;
let browser: Browser;
let context: BrowserContext;
let attacker: Page;
let before: unknown;

beforeAll(async () => {
  [daemon, foreign, browser] = await Promise.all([startDaemon(), startForeignServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await foreign?.stop();
  await daemon?.stop();
});

describe.each(['127.0.0.1', 'localhost'])('a page of another port of %s', (name) => {
  beforeEach(async () => {
    context = await browser.newContext();
    await signIn(context, daemon);
    attacker = await context.newPage();
    await attacker.goto(`http://${name}:${foreign.port}/`);
    before = await daemon.state();
  });
  afterEach(async () => {
    await context.close();
  });

  test.each([
    ['with credentials', '/v1/me', { credentials: 'include' }],
    ['without asking for CORS', '/v1/me', { credentials: 'include', mode: 'no-cors' }],
    [
      'with a guess at the page’s token',
      '/v1/me',
      { credentials: 'include', headers: { 'x-executor-session': 'ext_0' } },
    ],
    ['with a guess at a key', '/v1/me', { headers: { authorization: 'Bearer exa_0' } }],
    ['of what needs no credential', '/v1/health', {}],
    ['of the page', '/', { credentials: 'include', mode: 'no-cors' }],
    ['that makes a link', '/v1/sessions/links', { method: 'POST', credentials: 'include', mode: 'no-cors' }],
    [
      'that makes a key',
      '/v1/api-keys',
      { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"name":"stolen","kind":"person"}' },
    ],
    ['that signs out', '/v1/sessions/current', { method: 'DELETE', credentials: 'include' }],
  ] satisfies [string, string, RequestInit][])('gets nothing by a fetch %s', async (_, path, init) => {
    const statuses = statusesOf(attacker);
    expect(await readByFetch(attacker, daemon.url + path, init)).toBe('nothing');
    for (const status of statuses) expect(status).toBe(403);
    expect(await daemon.state()).toEqual(before);
  });

  test.each([
    ['script', '/v1/health'],
    ['script', '/v1/openapi.json'],
    ['script', '/v1/me'],
    ['img', '/favicon.svg'],
    ['img', '/v1/me'],
  ] as const)('gets nothing by a %s element of %s', async (element, path) => {
    const outcome = await attacker.evaluate(
      ({ element, src }) =>
        new Promise<string>((resolve) => {
          const probe = document.createElement(element);
          probe.onload = () => resolve('loaded');
          probe.onerror = () => resolve('nothing');
          probe.src = src;
          document.body.append(probe);
        }),
      { element, src: daemon.url + path },
    );
    expect(outcome).toBe('nothing');
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'changes nothing by a form that posts %s',
    async (encoding) => {
      const answered = attacker.waitForResponse((response) => response.url() === `${daemon.url}/v1/api-keys`);
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
        { encoding, action: `${daemon.url}/v1/api-keys` },
      );
      expect((await answered).status()).toBe(403);
      expect(await daemon.state()).toEqual(before);
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
      daemon.url + path,
    );
    const framed = attacker.frames()[1];
    expect(framed?.url()).toBe('chrome-error://chromewebdata/');
  });

  test('cannot hold on to a window of ours that it opens', async () => {
    const opened = context.waitForEvent('page');
    await attacker.evaluate(
      (url) => Object.assign(window, { ours: open(`${url}/#sign-in=exc_guess`) }),
      daemon.url,
    );
    const ours = await opened;
    await ours.getByRole('heading', { name: 'Executor is running' }).waitFor();
    expect(await ours.evaluate(() => window.opener)).toBeNull();
    expect(
      await attacker.evaluate(() => (window as unknown as { ours: Window }).ours.closed),
      'to its opener the window looks closed',
    ).toBe(true);
    expect(await daemon.state()).toEqual(before);
  });
});

test('a server of another port that is handed our cookie can do nothing with it', async () => {
  context = await browser.newContext();
  await signIn(context, daemon);
  attacker = await context.newPage();
  await attacker.goto(`http://127.0.0.1:${foreign.port}/v1/anything`);
  before = await daemon.state();

  const cookie = foreign.requests.find(({ path }) => path === '/v1/anything')?.headers.cookie ?? '';
  expect(cookie, 'cookies do not know ports').toMatch(/^executor_session_\w+=exs_/);
  expect(await attacker.evaluate(() => document.cookie)).toBe('');

  const origin = `http://127.0.0.1:${foreign.port}`;
  const attempts: [Record<string, string>, number][] = [
    [{ cookie }, 401],
    [{ cookie, 'x-executor-session': 'ext_guess' }, 401],
    [{ cookie, 'x-executor-session': cookie.split('=')[1] ?? '' }, 401],
    [{ cookie, authorization: `Bearer ${cookie.split('=')[1]}` }, 401],
    [{ cookie, origin }, 403],
    [{ cookie, 'sec-fetch-site': 'same-site' }, 403],
  ];
  for (const [headers, status] of attempts) {
    const answer = await fetch(`${daemon.url}/v1/api-keys`, { headers });
    expect([headers, answer.status]).toEqual([headers, status]);
    expect(Object.keys(await answer.json())).toEqual(['error']);
  }
  expect(await daemon.state()).toEqual(before);
  await context.close();
});

test('the browser does send our cookie with what a page of another port asks for, and it is refused', async () => {
  context = await browser.newContext();
  await signIn(context, daemon);
  attacker = await context.newPage();
  await attacker.goto(`http://127.0.0.1:${foreign.port}/`);
  const asked = attacker.waitForRequest(`${daemon.url}/v1/me`);
  await readByFetch(attacker, `${daemon.url}/v1/me`, { credentials: 'include', mode: 'no-cors' });
  const request = await asked;
  expect((await request.allHeaders()).cookie).toMatch(/^executor_session_\w+=exs_/);
  expect((await request.response())?.status()).toBe(403);
  await context.close();
});

/** What a script of the page could read of an answer; `nothing` where the browser gave it none. */
function readByFetch(page: Page, url: string, init: RequestInit): Promise<string> {
  return page.evaluate(
    async ({ url, init }) => {
      try {
        const answer = await fetch(url, init);
        return answer.type === 'opaque' ? 'nothing' : await answer.text();
      } catch {
        return 'nothing';
      }
    },
    { url, init },
  );
}

function statusesOf(page: Page): number[] {
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(daemon.url)) statuses.push(response.status());
  });
  return statuses;
}
