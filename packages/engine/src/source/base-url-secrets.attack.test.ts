import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestEngine } from '../../test/test-engine.ts';
import { secretsIn } from './url-secrets.ts';

/* A secret in the base URL that a user has set stays away from agents. */

const secret = 'sesame-9f8e7d6c5b4a';
const password = 'open-the-door';
const baseUrl = `https://ada:${password}@api.acme.test/v1?api-version=2024-01-01&key=${secret}`;
const url = 'https://api.acme.test/openapi.json';
let host: TestEngine;
beforeAll(async () => {
  host = await TestEngine.start();
  host.shelf.put(url, { title: 'Acme', baseUrl: 'https://api.acme.test', tools: [{ name: 'list' }] });
});
afterAll(() => host.close());

test('Agents never see a secret in the query of a base URL', async () => {
  const { engine, owner, store } = host;
  await engine.sources.add(owner, { url, namespace: 'acme', baseUrl });
  host.shelf.answer = ({ settings, input }) => {
    const sent = String(settings.baseUrl);
    if ((input as { text?: string }).text === 'fail')
      return { type: 'error', message: `cannot reach ${sent}`, details: { location: sent } };
    return { type: 'value', value: { sent, version: '2024-01-01' } };
  };
  const run = await host.run(`
    const failed = await tools.acme.list({ text: 'fail' }).catch(({ message, details }) => [message, details]);
    return [
      failed,
      await tools.acme.list({}),
      await tools.executor.sources.list({}),
      await tools.executor.sources.inspect({ namespace: 'acme' }),
      await tools.describe.namespace({ path: 'acme' }),
      await tools.describe.tool({ path: 'acme.list' }),
      await tools.discover({ query: 'list' }),
    ];
  `);
  expect(run).toMatchObject({ status: 'completed' });
  const agent = { ...owner, kind: 'agent' as const };
  const seen = JSON.stringify([
    run,
    await engine.sources.list(agent, { limit: 10 }),
    await engine.sources.get(agent, 'acme'),
    await engine.descriptions.get(agent, 'acme.list'),
    await store.executions.events(run.id, { afterSeq: 0, limit: 1_000 }),
    await store.audit.list(owner.workspaceId, { limit: 100 }),
  ]);
  for (const hidden of [secret, password, Buffer.from(`ada:${password}`).toString('base64')])
    expect(seen).not.toContain(hidden);
  // Ordinary values in the URL are no secrets, so results keep them.
  expect(JSON.stringify(run.result)).toContain('"version":"2024-01-01"');
  expect(await engine.sources.get(owner, 'acme')).toMatchObject({ baseUrl, settings: { baseUrl } });
});

test.each([
  ['https://a.test/?key=abc12345', ['abc12345']],
  ['https://a.test/?api_token=abc%2B12345', ['abc+12345', 'abc%2B12345']],
  ['https://a.test/?k=aaaaaaaaaaaaaaaaaaaaaaaa', ['aaaaaaaaaaaaaaaaaaaaaaaa']],
  ['https://a.test/?api-version=2024-01-01&format=json&keyword=shoes', []],
  ['not a URL', []],
  [undefined, []],
])('The secrets in %s are known', (text, expected) => {
  expect(secretsIn(text)).toEqual(expected);
});
