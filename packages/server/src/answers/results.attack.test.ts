import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, startTestServer, type TestServer } from '../../test/server.ts';
import { threadJsonReader } from './json-reader.ts';

const reader = threadJsonReader(new URL('../../dist/json-worker.js', import.meta.url));
let server: TestServer;
let agent: string;
beforeAll(async () => {
  server = await startTestServer();
  const body = { name: 'heavy' };
  agent = (await call(server, 'POST', '/v1/api-keys', { token: server.localToken, body })).json.key;
});
afterAll(() => server[Symbol.asyncDispose]());

test('A large result is cut without blocking the thread that answers requests', async () => {
  const json = JSON.stringify(Array(80_000).fill({ id: 1, name: 'x'.repeat(150), tags: ['a'] }));
  let turns = 0;
  let isDone = false;
  const cutting = Promise.all([0, 1].map(() => reader.cut(Buffer.from(json), 10_000))).finally(() => {
    isDone = true;
  });
  for (; !isDone; turns++) await setImmediate();
  const shown = await cutting;
  for (const text of shown) expect(JSON.parse(text).at(-1)).toMatch(/^… \(79\d{3} more items\)$/);
  // A cut on this thread would be done in the first turn of its event loop.
  expect(turns).toBeGreaterThan(10);
});

test('Invalid JSON is found when it is cut', async () => {
  await expect(reader.cut(Buffer.from(`["${'x'.repeat(2_000_000)}`), 10_000)).rejects.toThrow(SyntaxError);
  expect(await reader.cut(Buffer.from('[1,2]'), 10_000)).toBe('[1,2]');
});

test.each([
  ['many values', 'Array(700).fill(Array(1_000).fill(1))', /^… \(140\d{4} bytes\)$/],
  ['a long text', '"x".repeat(3_000_000)', /^x{50000}.*more characters\)$/],
])('A run that returns %s ends, with the rest in an artifact', async (_, value, shown) => {
  const body = { code: `return ${value}`, typecheck: false, waitMs: 60_000 };
  const { json } = await call(server, 'POST', '/v1/executions', { token: agent, body });
  expect(json).toMatchObject({
    status: 'completed',
    result: expect.stringMatching(shown),
    omitted: { result: { artifactId: expect.stringMatching(/^art_/) } },
  });
});
