import { createClient } from '@executor/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectMcp, execute } from '../../../packages/server/test/mcp-client.ts';
import { startPostgres, type TestPostgres } from '../../../scripts/test-postgres.ts';
import { TestHome } from './home.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => postgres.remove());

test('the daemon reports a lost Postgres and recovers when it returns', async () => {
  await using home = new TestHome({ EXECUTOR_DATABASE_URL: postgres.url });
  const { url, pid } = await home.json('up');
  expect(await home.json('status')).toMatchObject({ database: 'postgres', healthy: true });
  const { key } = await home.json('keys', 'create', 'before');
  const client = createClient({ url, token: key });

  await postgres.stop();
  await vi.waitUntil(async () => (await client.health.get()).status === 'degraded', {
    timeout: 60_000,
    interval: 200,
  });
  await expect(client.me.get()).rejects.toMatchObject({
    code: 'databaseUnavailable',
    message: expect.stringContaining('does not answer'),
  });
  const sick = await home.run(['keys', 'ls']);
  expect(sick).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database of this server does not answer.'),
  });
  expect(sick.stderr).not.toContain('correct-horse');
  expect((await home.run(['status'])).stdout).toContain('It has a problem');
  expect(await home.run(['doctor'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('✗ database'),
  });

  await postgres.start();
  await vi.waitUntil(async () => (await client.health.get()).status === 'ok', {
    timeout: 60_000,
    interval: 200,
  });
  expect((await client.me.get()).principal.kind).toBe('agent');
  expect(await home.json('status')).toMatchObject({ pid, healthy: true });
  expect(await home.read('logs', 'executor.log')).not.toContain('correct-horse');
});

test('up reports an unreachable Postgres without its password', async () => {
  await using home = new TestHome({ EXECUTOR_DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/nothing' });
  const { code, stderr } = await home.run(['up']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^executor: The Postgres database at postgres:\/\/me@127\.0\.0\.1:1\/nothing does not answer \(.*ECONNREFUSED.*\)\. Check that it is running/,
    ),
  });
  expect(stderr).not.toContain('hunter2');
});

test('two homes on one Postgres share the account and its keys', async () => {
  await using one = new TestHome({ EXECUTOR_DATABASE_URL: postgres.url });
  await using two = new TestHome({ EXECUTOR_DATABASE_URL: postgres.url });
  const [first, second] = await Promise.all([one.json('up'), two.json('up')]);
  const { key } = await one.json('keys', 'create', 'shared');
  const [here, there] = await Promise.all(
    [first, second].map(({ url }) => createClient({ url, token: key }).me.get()),
  );
  expect(here?.principal).toEqual(there?.principal);
});

test('a call of a server that was killed counts as lost on another one', async () => {
  await using one = new TestHome({ EXECUTOR_DATABASE_URL: postgres.url });
  await using two = new TestHome({ EXECUTOR_DATABASE_URL: postgres.url });
  const [first, second] = await Promise.all([one.json('up'), two.json('up')]);
  const { key } = await one.json('keys', 'create', 'killed');
  const [here, there] = [await connectMcp(first, key), await connectMcp(second, key)];
  const code = 'await sleep(600_000); return "lost with its server"';
  const dying = here.callTool({ name: 'execute', arguments: { code, waitMs: 50_000 } }).catch(() => {});
  const runs = async () => {
    const { items } = await createClient({ url: second.url, token: key }).executions.list();
    return items.filter(({ codeExcerpt }) => codeExcerpt.includes('lost with'));
  };
  // Kills it as soon as the run exists.
  await vi.waitUntil(async () => (await runs()).length === 1, { timeout: 60_000, interval: 1 });
  await one.killDaemon();
  await dying;
  const { value, texts } = await execute(there, code, { waitMs: 0 });
  const [run, ...more] = await runs();
  expect([value.executionId, more]).toEqual([run?.id, []]);
  expect(texts[1]).toContain('not run again');
  await createClient({ url: second.url, token: key }).executions.cancel({ id: value.executionId });
  await there.close();
});
