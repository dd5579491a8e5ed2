import { expect } from 'vitest';
import { signIn, test } from './browser-test.ts';

test('A page reports that its server is down, keeps trying, and recovers', async ({ browser, server }) => {
  const context = await browser.newContext();
  const page = await signIn(context, server);
  const { workspaceName } = await server.client.settings.get();
  const banner = page.getByText(`Nothing answers at ${server.url}. Trying again…`);
  await server.client.settings.update({ workspaceName: 'Renamed meanwhile' });
  await server.stop();
  await banner.waitFor();
  await page.getByRole('heading', { name: 'Executor does not answer' }).waitFor();

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('Not signed out.').waitFor();

  await server.start();
  await banner.waitFor({ state: 'detached' });
  await page.getByText('Renamed meanwhile', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Executor is running' }).waitFor();
  await server.client.settings.update({ workspaceName });
  await context.close();
});

test('A link that is opened while the server is down has ended when it is back', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  const link = await server.signInLink();
  await server.stop();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Signing in…' }).waitFor();
  await server.start();
  // Another program may have received the link meanwhile, so a link is valid only for the process that made it.
  await page.getByRole('heading', { name: 'This link does not sign in' }).waitFor();
  await page.getByText('older than the last restart of the server').waitFor();
  expect(page.url()).toBe(`${server.url}/`);
  await context.close();
});
