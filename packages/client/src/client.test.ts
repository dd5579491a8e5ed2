import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createClient } from './client.ts';

/** A server with prepared responses that records its requests. */
async function answering(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void server.close(),
  };
}

test('Path parameters, query and body are sent as the route declares them', async () => {
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

test('An error of the server arrives as the same error', async () => {
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

test('A degraded server still reports its health', async () => {
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

test('No server, another server, another version, a redirect and a timeout have different errors', async () => {
  const health = (url: string, timeoutMs?: number) => createClient({ url, timeoutMs }).health.get();
  await expect(health('http://127.0.0.1:1')).rejects.toMatchObject({
    code: 'noServer',
    message: 'Nothing answers at http://127.0.0.1:1.',
  });
  using otherServer = await answering((_, response) => void response.writeHead(404).end('<h1>Not here</h1>'));
  await expect(health(otherServer.url)).rejects.toMatchObject({
    code: 'noServer',
    message: expect.stringContaining('which is not a response of Executor'),
  });
  using other = await answering((_, response) => void response.end('{"state":"fine"}'));
  await expect(health(other.url)).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('Client and server may have different versions.'),
  });
  using redirecting = await answering(
    (_, response) => void response.writeHead(302, { location: other.url }).end(),
  );
  await expect(health(redirecting.url)).rejects.toMatchObject({ code: 'noServer' });
  using silent = await answering(() => {});
  await expect(health(silent.url, 50)).rejects.toMatchObject({ code: 'timeout' });
});

test('The proof of presence is sent in its header, and an abort stops the request', async () => {
  const seen: unknown[] = [];
  using server = await answering((request, response) => {
    seen.push(request.headers['x-executor-presence']);
    if (request.method === 'DELETE') response.writeHead(204).end();
  });
  const client = createClient({ url: server.url });
  await client.policies.remove({ id: 'pol_1' }, { presence: '1234' });
  expect(seen).toEqual(['1234']);
  const signal = AbortSignal.timeout(50);
  await expect(client.policies.list({}, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(client.policies.list({}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
});

test('An artifact arrives as bytes, with its type and its name', async () => {
  using server = await answering((_, response) => {
    response.writeHead(200, {
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="na_ve.png"; filename*=UTF-8''na%C3%AFve.png`,
    });
    response.end(Buffer.from([0, 255, 10]));
  });
  expect(await createClient({ url: server.url }).artifacts.get({ id: 'art_1' })).toEqual({
    mediaType: 'image/png',
    name: 'naïve.png',
    bytes: new Uint8Array([0, 255, 10]),
  });
});

test('A request that a busy server refused is sent again after the time that the server says', async () => {
  const refused = (seconds: number) =>
    JSON.stringify({
      error: { code: 'tooManyRequests', message: 'Busy.', details: { retryAfterSeconds: seconds } },
    });
  let requests = 0;
  using server = await answering((_, response) => {
    requests += 1;
    if (requests < 3) return void response.writeHead(429).end(refused(0.01));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}');
  });
  const client = createClient({ url: server.url });
  expect(await client.apiKeys.list()).toEqual({ items: [] });
  expect(requests).toBe(3);
  using away = await answering((_, response) => {
    requests += 1;
    response.writeHead(429).end(refused(requests < 20 ? 0.01 : 3_600));
  });
  const patient = createClient({ url: away.url });
  await expect(patient.apiKeys.list()).rejects.toMatchObject({ code: 'tooManyRequests' });
  expect(requests).toBe(7);
  requests = 20;
  await expect(patient.apiKeys.list()).rejects.toMatchObject({ code: 'tooManyRequests' });
  expect(requests).toBe(21);
});
