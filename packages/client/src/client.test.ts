import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createClient } from './client.ts';

/** A server that answers as told, and remembers what it was asked. */
async function answering(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void server.close(),
  };
}

test('path, query and body go where the route wants them', async () => {
  const seen: string[] = [];
  using server = await answering(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push(
      [
        request.method,
        request.url,
        request.headers.authorization,
        request.headers['content-type'] ?? '-',
        body,
      ].join(' '),
    );
    response.writeHead(request.method === 'DELETE' ? 204 : 200, { 'content-type': 'application/json' });
    response.end(request.method === 'DELETE' ? undefined : '{"items":[]}');
  });
  const client = createClient({ url: server.url, token: 'tok' });
  await client.apiKeys.list({ limit: 2, cursor: 'a b' });
  await client.apiKeys.list();
  await client.apiKeys.remove({ id: 'x/../y?z' });
  expect(seen).toEqual([
    'GET /v1/api-keys?limit=2&cursor=a+b Bearer tok - ',
    'GET /v1/api-keys Bearer tok - ',
    'DELETE /v1/api-keys/x%2F..%2Fy%3Fz Bearer tok - ',
  ]);
});

test('an error of the server arrives as the same error', async () => {
  using server = await answering((_, response) => {
    response.writeHead(410).end('{"error":{"code":"gone","message":"Used.","details":{"name":"a"}}}');
  });
  await expect(createClient({ url: server.url }).apiKeys.create({ name: 'a' })).rejects.toMatchObject({
    name: 'ExecutorError',
    code: 'gone',
    message: 'Used.',
    details: { name: 'a' },
  });
});

test('a sick server still tells its health', async () => {
  const health = {
    status: 'degraded',
    name: 'executor',
    version: '1',
    installationId: 'ins_1',
    database: 'unavailable',
  };
  using server = await answering((_, response) => void response.writeHead(503).end(JSON.stringify(health)));
  expect(await createClient({ url: server.url }).health.get()).toEqual(health);
});

test('nobody there, a stranger, an answer of another version, a redirect and silence are told apart', async () => {
  const health = (url: string, timeoutMs?: number) => createClient({ url, timeoutMs }).health.get();
  await expect(health('http://127.0.0.1:1')).rejects.toMatchObject({
    code: 'noServer',
    message: 'Nothing answers at http://127.0.0.1:1.',
  });
  using stranger = await answering((_, response) => void response.writeHead(404).end('<h1>Not here</h1>'));
  await expect(health(stranger.url)).rejects.toMatchObject({
    code: 'noServer',
    message: expect.stringContaining('not as Executor does'),
  });
  using other = await answering((_, response) => void response.end('{"state":"fine"}'));
  await expect(health(other.url)).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('Are both of one version?'),
  });
  using redirecting = await answering(
    (_, response) => void response.writeHead(302, { location: other.url }).end(),
  );
  await expect(health(redirecting.url)).rejects.toMatchObject({ code: 'noServer' });
  using silent = await answering(() => {});
  await expect(health(silent.url, 50)).rejects.toMatchObject({ code: 'timeout' });
});
