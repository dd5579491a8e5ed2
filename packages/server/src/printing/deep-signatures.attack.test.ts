import { expect, test } from 'vitest';
import { deepSchema } from '../../../engine/test/deep-tool.ts';
import { startTestServer } from '../../test/server.ts';

/** A person's request takes some milliseconds. Printing these signatures on the server's thread took minutes. */
const maxAnswerMs = 3_000;

test('Deep signatures do not delay other requests', async () => {
  await using server = await startTestServer();
  const url = 'https://acme.test/openapi.json';
  const tools = Array.from({ length: 50 }, (_, number) => ({
    name: `reports.file${number}`,
    description: 'Files a report',
    inputSchema: deepSchema,
  }));
  server.shelf.put(url, { title: 'Acme', tools });
  const { engine, url: address, localToken } = server;
  const owner = { kind: 'person', credential: 'localToken', ...engine.installation.owner } as const;
  await engine.sources.add(owner, { url });
  const { key } = await engine.apiKeys.create(owner, { name: 'agent', kind: 'agent' });
  const asAgent = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const call = 'tools.discover({ query: "file a report", limit: 50, depth: 20 })';
  const code = `return await Promise.all(Array.from({ length: 64 }, () => ${call}))`;
  const run = fetch(`${address}/v1/executions`, {
    method: 'POST',
    headers: asAgent,
    body: JSON.stringify({ code, typecheck: false, waitMs: 60_000, limits: { cpuMs: 2_000 } }),
  }).then((response) => response.json());
  const ended = { yet: false };
  void run.finally(() => {
    ended.yet = true;
  });
  const times: number[] = [];
  while (!ended.yet) {
    const startedAt = performance.now();
    await (await fetch(`${address}/v1/me`, { headers: { authorization: `Bearer ${localToken}` } })).text();
    times.push(performance.now() - startedAt);
  }
  expect(await run).toMatchObject({ status: 'failed', error: { code: 'timedOut' } });
  expect(Math.max(...times)).toBeLessThan(maxAnswerMs);
}, 120_000);
