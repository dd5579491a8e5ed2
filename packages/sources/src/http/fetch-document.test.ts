import { gzipSync } from 'node:zlib';
import { ExecutorError } from '@executor/protocol';
import { afterEach, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test/local-server.ts';
import { createHttpClient } from './create-http-client.ts';
import { createFetchDocument, type FetchDocumentOptions, type FetchLimits } from './fetch-document.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(listener: Parameters<typeof startLocalServer>[0]): Promise<LocalServer> {
  const server = await startLocalServer(listener);
  open.push(server);
  return server;
}

async function fetchText(
  url: string,
  options: Partial<FetchDocumentOptions> = {},
  limits: Partial<FetchLimits> = {},
) {
  const http = createHttpClient();
  open.push(http);
  const signal = AbortSignal.timeout(20_000);
  const document = await createFetchDocument(http, limits)(url, {
    signal,
    allowPrivateNetwork: true,
    ...options,
  });
  let text = '';
  for await (const piece of document.body) text += Buffer.from(piece).toString();
  return { ...document, body: text };
}

test('fetching returns the document, its final URL and progress', async () => {
  const { url } = await serve((request, response) =>
    request.url === '/'
      ? response.writeHead(302, { location: '/openapi.json' }).end()
      : response
          .writeHead(200, { 'content-type': 'Application/JSON; charset=utf-8', 'content-encoding': 'gzip' })
          .end(gzipSync('{"openapi":"3.1.0"}')),
  );
  const progress: unknown[] = [];
  expect(await fetchText(url, { onProgress: (step) => progress.push(step) })).toEqual({
    url: `${url}/openapi.json`,
    mediaType: 'application/json',
    body: '{"openapi":"3.1.0"}',
  });
  expect(progress).toEqual([{ done: 19 }]);
});

test('credentials are sent only to the origin of the URL', async () => {
  const otherServer = await serve((request, response) => response.end(`{"a":"${request.headers['x-key']}"}`));
  const home = await serve((request, response) => {
    expect([request.headers['x-key'], request.headers.cookie, request.url]).toEqual(['k', 'c=1', '/?q=2']);
    response.writeHead(302, { location: otherServer.url }).end();
  });
  const auth = { headers: { 'X-Key': 'k' }, cookies: { c: '1' }, query: { q: '2' } };
  expect((await fetchText(home.url, { auth })).body).toBe('{"a":"undefined"}');
});

test.each<[number, string]>([
  [404, 'There is no document at'],
  [401, 'requires credentials: the server responded with 401'],
  [503, 'failed with 503'],
  [418, 'the server responded with 418'],
])('status %s has a message that says what to do', async (status, message) => {
  const { url } = await serve((_, response) => response.writeHead(status).end('x'));
  await expect(fetchText(url)).rejects.toMatchObject({
    code: 'unusableDocument',
    message: expect.stringContaining(message),
    details: { status },
  });
});

test('web pages and sign-in pages are recognised and rejected', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/private.json') return response.writeHead(302, { location: '/login?next=x' }).end();
    if (request.url === '/odd.json')
      return response.setHeader('content-type', 'text/html').end('{"openapi":"3.0.0"}');
    return response.setHeader('content-type', 'text/html').end('\n<!DOCTYPE html><html></html>');
  });
  await expect(fetchText(`${url}/docs`)).rejects.toThrow('is a web page, not an API document');
  await expect(fetchText(`${url}/private.json`)).rejects.toThrow('is a sign-in page');
  expect((await fetchText(`${url}/odd.json`)).body).toBe('{"openapi":"3.0.0"}');
});

test('an empty response is rejected', async () => {
  const { url } = await serve((_, response) => response.end());
  await expect(fetchText(url)).rejects.toThrow('is empty');
});

test('documents over the limit are refused, by their content-length and by their bytes', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/declared')
      return response.writeHead(200, { 'content-length': 5_000_000 }).write('{');
    const piece = Buffer.alloc(100_000, 32);
    piece[0] = 0x7b;
    const more = () => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more);
    };
    return more();
  });
  const refusal = {
    code: 'payloadTooLarge',
    message: expect.stringContaining('larger than the limit of 1 MB'),
  };
  await expect(fetchText(`${url}/declared`, { maxBytes: 1024 * 1024 })).rejects.toMatchObject(refusal);
  await expect(fetchText(`${url}/endless`, { maxBytes: 1024 * 1024 })).rejects.toMatchObject(refusal);
});

test('the limit applies to the decompressed size', async () => {
  const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, 32));
  const { url } = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
  await expect(fetchText(url, { maxBytes: 1024 * 1024 })).rejects.toMatchObject({ code: 'payloadTooLarge' });
});

test('transfers that stall or trickle time out', async () => {
  const { url } = await serve((request, response) => {
    response.write('{');
    if (request.url === '/still') return;
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  });
  await expect(fetchText(`${url}/still`, {}, { idleMs: 100 })).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('no data arrived for 0.1 s'),
  });
  await expect(fetchText(`${url}/drip`, {}, { totalMs: 200 })).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('it took longer than 0.2 s'),
  });
  await expect(fetchText(`${url}/drip`, { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('the error for an unreachable URL omits the password of the URL', async () => {
  await expect(fetchText('http://me:secret@127.0.0.1:9/x')).rejects.toMatchObject({
    code: 'unreachable',
    message:
      'The document at http://127.0.0.1:9/x could not be fetched. 127.0.0.1:9 refused the connection. Check that the server is running.',
  });
  await expect(fetchText('http://127.0.0.1:9/x', { allowPrivateNetwork: false })).rejects.toMatchObject({
    details: { code: 'privateAddress', refused: { host: '127.0.0.1', address: '127.0.0.1' } },
  });
});

test.each([
  ['a document that is declared too large', { 'content-length': 100_000_000 }, 200, '{'],
  ['a page', {}, 200, '<!doctype html>'],
  ['a missing document', {}, 404, ''],
  ['a missing document with a body', {}, 404, 'no'],
])('%s frees its connection', async (_, headers, status, start) => {
  let open = 0;
  const { url } = await serve((_, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    response.writeHead(status, headers).flushHeaders();
    if (start !== '') response.write(start);
  });
  await expect(fetchText(url)).rejects.toThrow(ExecutorError);
  await expect.poll(() => open).toBe(0);
});
