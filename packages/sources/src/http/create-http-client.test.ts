import { createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test/local-server.ts';
import { createHttpClient, type HttpClientOptions } from './create-http-client.ts';
import type { HttpRequest, HttpResponse, SendOptions } from './http-client.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(listener: Parameters<typeof startLocalServer>[0]): Promise<LocalServer> {
  const server = await startLocalServer(listener);
  open.push(server);
  return server;
}

function client(options: HttpClientOptions = {}) {
  const http = createHttpClient(options);
  open.push(http);
  return (request: Partial<HttpRequest> & { url: string }, more: Partial<SendOptions> = {}) =>
    http.send(
      { method: 'GET', headers: {}, ...request },
      { signal: AbortSignal.timeout(20_000), allowPrivateNetwork: true, redirects: 'read', ...more },
    );
}

async function text({ body }: HttpResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('the client sends method, headers and body, and returns status, headers and body without cookies', async () => {
  const { url } = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.setHeader('set-cookie', 'a=b').setHeader('x-two', ['1', '2']);
    response.writeHead(201).end(`${request.method} ${request.url} ${request.headers['x-a']} ${body}`);
  });
  const answer = await client()({ method: 'PUT', url: `${url}/p?q=1`, headers: { 'X-A': 'a' }, body: 'hé' });
  expect(answer.status).toBe(201);
  expect(answer.headers['x-two']).toEqual(['1', '2']);
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(await text(answer)).toBe('PUT /p?q=1 a hé');
});

test('300 concurrent requests share at most 64 connections', async () => {
  const { url, server } = await serve((_, response) => response.end('ok'));
  let connections = 0;
  server.on('connection', () => connections++);
  const send = client();
  const answers = await Promise.all(Array.from({ length: 300 }, async () => text(await send({ url }))));
  expect(answers.every((answer) => answer === 'ok')).toBe(true);
  expect(connections).toBeLessThanOrEqual(64);
});

describe('network reach', () => {
  const refusal = (name: string, address: string) => ({
    code: 'privateAddress',
    mayHaveArrived: false,
    refused: { host: name, address },
    message: expect.stringContaining('executor sources edit NS --allow-private-network'),
  });

  test('a name that resolves to a private address is refused, and the message has both', async () => {
    const { port } = await serve((_, response) => response.end('secret'));
    const send = client({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const sent = send({ url: `http://api.example:${port}/` }, { allowPrivateNetwork: false });
    await expect(sent).rejects.toMatchObject(refusal('api.example', '127.0.0.1'));
    await expect(sent).rejects.toThrow('api.example resolves to 127.0.0.1');
  });

  test('a name with a public and a private address is refused', async () => {
    const send = client({
      resolve: async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '::ffff:10.0.0.1', family: 6 },
      ],
    });
    await expect(
      send({ url: 'http://mixed.example/' }, { allowPrivateNetwork: false }),
    ).rejects.toMatchObject(refusal('mixed.example', '::ffff:10.0.0.1'));
  });

  test.each([
    'http://127.0.0.1:9/',
    'http://[::1]:9/',
    'http://2130706433:9/',
    'http://169.254.169.254/',
    'http://0/',
  ])('the address %s is refused without a lookup', async (url) => {
    const send = client({ resolve: () => Promise.reject(new Error('looked up')) });
    await expect(send({ url }, { allowPrivateNetwork: false })).rejects.toMatchObject({
      code: 'privateAddress',
    });
  });

  test.each(['http://169.254.169.254/', 'http://[::ffff:169.254.169.254]/', 'http://metadata.example/'])(
    '%s is refused even if private networks are allowed',
    async (url) => {
      const send = client({ resolve: async () => [{ address: '169.254.169.254', family: 4 }] });
      await expect(send({ url }, { allowPrivateNetwork: true })).rejects.toMatchObject({
        code: 'privateAddress',
      });
      // Another link-local address was typed.
      const linkLocal = '169.254.1.5';
      await expect(send({ url }, { allowPrivateNetwork: true, linkLocal })).rejects.toMatchObject({
        code: 'privateAddress',
      });
    },
  );

  test('permission for this machine does not cover its networks', async () => {
    const { port } = await serve((_, response) => response.end('here'));
    const send = client({
      resolve: async (name) => [{ address: name === 'here.example' ? '127.0.0.1' : '10.1.2.3', family: 4 }],
    });
    const thisMachine = { allowPrivateNetwork: false, allowThisMachine: true };
    for (const host of ['127.0.0.1', 'here.example'])
      expect(await text(await send({ url: `http://${host}:${port}/` }, thisMachine))).toBe('here');
    for (const url of ['http://10.1.2.3/', 'http://near.example/', 'http://169.254.169.254/'])
      await expect(send({ url }, thisMachine)).rejects.toMatchObject({ code: 'privateAddress' });
  });

  test('a typed link-local address needs permission for private networks too', async () => {
    const sent = client()(
      { url: 'http://169.254.169.254/' },
      { linkLocal: '169.254.169.254', allowPrivateNetwork: false },
    );
    await expect(sent).rejects.toMatchObject({ code: 'privateAddress' });
  });

  test('a redirect cannot reach a link-local address', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    );
    await expect(client()({ url })).rejects.toMatchObject({ code: 'privateAddress' });
  });

  test('a connection to a private network serves only requests that may reach it', async () => {
    const { port } = await serve((_, response) => response.end('secret'));
    const send = client({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const url = `http://api.example:${port}/`;
    expect(await text(await send({ url }))).toBe('secret');
    await expect(send({ url }, { allowPrivateNetwork: false })).rejects.toMatchObject({
      code: 'privateAddress',
    });
  });

  test('proxy settings of the environment are ignored', async () => {
    const { url } = await serve((_, response) => response.end('direct'));
    process.env.http_proxy = 'http://127.0.0.1:9';
    try {
      expect(await text(await client()({ url }))).toBe('direct');
    } finally {
      delete process.env.http_proxy;
    }
  });
});

describe('errors name their cause', () => {
  test('connection refused', async () => {
    await expect(client()({ url: 'http://127.0.0.1:9/' })).rejects.toMatchObject({
      code: 'connectionRefused',
      mayHaveArrived: false,
      message: '127.0.0.1:9 refused the connection. Check that the server is running.',
    });
  });

  test('unknown host name', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    await expect(client({ resolve })({ url: 'http://nowhere.example/' })).rejects.toMatchObject({
      code: 'nameNotFound',
      message: 'The host name nowhere.example was not found. Check the URL.',
    });
  });

  test('connection closed during the response', async () => {
    const { url } = await serve((_, response) => {
      response.write('some', () => response.destroy());
    });
    const answer = await client()({ url });
    await expect(text(answer)).rejects.toMatchObject({ code: 'reset', mayHaveArrived: true });
  });

  test('https URL of a server without TLS', async () => {
    const { port } = await serve((_, response) => response.end());
    await expect(client()({ url: `https://127.0.0.1:${port}/` })).rejects.toMatchObject({ code: 'tls' });
  });

  test('response that is not HTTP', async () => {
    const tcp = createTcpServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.2\r\n'));
    await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done));
    open.push(tcp);
    const { port } = tcp.address() as { port: number };
    await expect(client()({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({ code: 'notHttp' });
  });

  test('timeout before the headers', async () => {
    const { url } = await serve(() => {});
    await expect(client({ headersTimeoutMs: 300 })({ url })).rejects.toMatchObject({ code: 'timeout' });
  });

  test('timeout during the body', async () => {
    const { url } = await serve((_, response) => void response.write('some'));
    const answer = await client({ bodyTimeoutMs: 300 })({ url });
    await expect(text(answer)).rejects.toMatchObject({ code: 'timeout', mayHaveArrived: true });
  });

  test('response headers over the limit', async () => {
    const { url } = await serve((_, response) => response.setHeader('x-long', 'a'.repeat(100_000)).end());
    await expect(client()({ url })).rejects.toMatchObject({ code: 'headersTooLarge' });
  });

  test('line break in a header', async () => {
    const { url } = await serve((_, response) => response.end());
    await expect(client()({ url, headers: { 'x-a': 'a\r\nx-b: b' } })).rejects.toMatchObject({
      code: 'invalidRequest',
    });
  });

  test('invalid URL', async () => {
    await expect(client()({ url: 'ftp://example.com/' })).rejects.toMatchObject({ code: 'invalidRequest' });
    await expect(client()({ url: 'nonsense' })).rejects.toMatchObject({ code: 'invalidRequest' });
  });
});

describe('an abort', () => {
  test('ends a request that waits for its headers, even while they trickle in', async () => {
    const tcp = createTcpServer((socket) => {
      socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-a: b\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done));
    open.push(tcp);
    const { port } = tcp.address() as { port: number };
    const sent = client()({ url: `http://127.0.0.1:${port}/` }, { signal: AbortSignal.timeout(200) });
    await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('ends a request that waits for a connection', async () => {
    const { url } = await serve(() => {});
    const send = client({ perOrigin: 1 });
    const end = new AbortController();
    const first = send({ url }, { signal: end.signal });
    const queued = send({ url }, { signal: AbortSignal.timeout(100) });
    // The first request holds the only connection.
    await expect(queued).rejects.toMatchObject({ name: 'TimeoutError' });
    end.abort();
    await expect(first).rejects.toThrow();
  });

  test('ends an endless body and closes its connection', async () => {
    let closed = false;
    const { url } = await serve((_, response) => {
      const drip = setInterval(() => response.write('data'), 5);
      response.on('close', () => {
        closed = true;
        clearInterval(drip);
      });
    });
    const end = new AbortController();
    const answer = await client()({ url }, { signal: end.signal });
    const reading = async () => {
      for await (const _ of answer.body) end.abort(new Error('enough'));
    };
    await expect(reading()).rejects.toThrow('enough');
    await expect.poll(() => closed).toBe(true);
  });

  test('is not needed by a caller that stops reading: the connection closes', async () => {
    let closed = false;
    const { url } = await serve((_, response) => {
      const drip = setInterval(() => response.write('data'.repeat(1000)), 1);
      response.on('close', () => {
        closed = true;
        clearInterval(drip);
      });
    });
    for await (const _ of (await client()({ url })).body) break;
    await expect.poll(() => closed).toBe(true);
  });
});

describe('compressed responses', () => {
  const plain = JSON.stringify({ text: 'long enough to be worth it '.repeat(50) });
  test.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['identity', Buffer.from(plain)],
  ])('the client decodes %s', async (encoding, bytes) => {
    const { url } = await serve((_, response) => response.setHeader('content-encoding', encoding).end(bytes));
    expect(await text(await client()({ url }))).toBe(plain);
  });

  test('an empty body with an encoding is empty', async () => {
    const { url } = await serve((request, response) =>
      response.setHeader('content-encoding', 'gzip').end(request.method === 'HEAD' ? undefined : ''),
    );
    expect(await text(await client()({ url }))).toBe('');
    expect(await text(await client()({ url, method: 'HEAD' }))).toBe('');
  });

  test('a decompression bomb is expanded only as far as its reader reads', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const { url } = await serve((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    let read = 0;
    for await (const { length } of (await client()({ url })).body) {
      read += length;
      if (read > 1_000_000) break;
    }
    expect(read).toBeLessThan(1_200_000);
  });

  test('bodies with three encodings or an unknown encoding are refused', async () => {
    const { url } = await serve((request, response) =>
      response.setHeader('content-encoding', request.url === '/much' ? 'gzip, gzip, gzip' : 'zstd').end('x'),
    );
    await expect(client()({ url: `${url}/much` })).rejects.toMatchObject({ code: 'badEncoding' });
    await expect(client()({ url: `${url}/odd` })).rejects.toMatchObject({ code: 'badEncoding' });
  });

  test('a body that does not match its encoding is an error', async () => {
    const { url } = await serve((_, response) =>
      response.setHeader('content-encoding', 'gzip').end('no gzip'),
    );
    await expect(text(await client()({ url }))).rejects.toMatchObject({ code: 'badEncoding' });
  });
});

describe('redirects', () => {
  const credentials = { headers: { Authorization: 'Bearer s3cret', cookie: 'sid=1' }, query: { key: 'k y' } };
  const seen = (request: { method?: string; url?: string; headers: Record<string, unknown> }) =>
    JSON.stringify({
      method: request.method,
      url: request.url,
      authorization: request.headers.authorization,
      cookie: request.headers.cookie,
      custom: request.headers['x-custom'],
    });

  test('redirects within the origin keep credentials, cookies and the query', async () => {
    const { url } = await serve((request, response) =>
      request.url?.startsWith('/from')
        ? response.writeHead(302, { location: '/to?a=b%20c&key=old' }).end()
        : response.end(seen(request)),
    );
    const answer = await client()(
      { url: `${url}/from`, headers: { cookie: 'c=2', 'x-custom': '1' } },
      { credentials },
    );
    expect(answer.url).toBe(`${url}/to?a=b%20c&key=old`);
    expect(JSON.parse(await text(answer))).toEqual({
      method: 'GET',
      url: '/to?a=b%20c&key=k%20y',
      authorization: 'Bearer s3cret',
      cookie: 'c=2; sid=1',
      custom: '1',
    });
  });

  test('redirects carry only harmless headers to another origin, and none back', async () => {
    const home = await serve((request, response) =>
      request.url === '/back'
        ? response.end(seen(request))
        : response.writeHead(302, { location: `${otherServer.url}/x` }).end(),
    );
    let receivedThere = '';
    const otherServer: LocalServer = await serve((request, response) => {
      receivedThere = seen(request);
      response.writeHead(302, { location: `${home.url}/back` }).end();
    });
    const answer = await client()(
      { url: home.url, headers: { cookie: 'c=2', 'x-custom': '1' } },
      { credentials },
    );
    expect(JSON.parse(receivedThere)).toEqual({ method: 'GET', url: '/x' });
    expect(JSON.parse(await text(answer))).toEqual({ method: 'GET', url: '/back' });
  });

  test('a write follows no redirect but one that adds a slash and keeps method and body', async () => {
    const { url } = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const status = Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1]);
      if (status) response.writeHead(status, { location: `/${status}/` }).end('moved');
      else response.end(`${request.method} ${request.url} ${body}`);
    });
    const send = client();
    const write = { method: 'POST', body: 'x' };
    for (const status of [301, 302, 303]) {
      const answer = await send({ ...write, url: `${url}/${status}` }, { redirects: 'write' });
      expect([answer.status, await text(answer)]).toEqual([status, 'moved']);
    }
    for (const status of [307, 308]) {
      const answer = await send({ ...write, url: `${url}/${status}` }, { redirects: 'write' });
      expect([answer.status, await text(answer)]).toEqual([200, `POST /${status}/ x`]);
    }
    const read = await send({ ...write, url: `${url}/303` });
    expect(await text(read)).toBe('GET /303/ ');
  });

  test('a write that a server redirects to another path of its origin is not sent there', async () => {
    const reached: (string | undefined)[] = [];
    const { url } = await serve((request, response) => {
      reached.push(request.url);
      response.writeHead(request.url === '/drafts' ? 307 : 200, { location: '/projects/everything' }).end();
    });
    const answer = await client()({ method: 'DELETE', url: `${url}/drafts` }, { redirects: 'write' });
    expect([answer.status, reached]).toEqual([307, ['/drafts']]);
  });

  test('a write is not redirected to another origin', async () => {
    let reached = false;
    const otherServer = await serve((_, response) => {
      reached = true;
      response.end();
    });
    const { url } = await serve((_, response) =>
      response.writeHead(307, { location: otherServer.url }).end(),
    );
    const answer = await client()({ method: 'POST', url, body: 'x' }, { redirects: 'write' });
    expect([answer.status, reached]).toEqual([307, false]);
  });

  test('a redirect loop ends', async () => {
    let hops = 0;
    const { url } = await serve((_, response) => {
      hops++;
      response.writeHead(302, { location: '/' }).end();
    });
    await expect(client()({ url })).rejects.toMatchObject({ code: 'tooManyRedirects' });
    expect(hops).toBe(11);
  });
});

test('user name and password of a URL are sent as Basic credentials to that origin only', async () => {
  const { port } = await serve((request, response) =>
    response.end(`${request.headers.authorization} ${request.url}`),
  );
  const answer = await client()({ url: `http://me:p%40ss@127.0.0.1:${port}/x` });
  expect(answer.url).toBe(`http://127.0.0.1:${port}/x`);
  expect(await text(answer)).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')} /x`);
});

test('invalid percent-encoding in a user name or password is sent unchanged', async () => {
  const { port } = await serve((request, response) => response.end(request.headers.authorization));
  const sent = await text(await client()({ url: `http://a%zz:b%@127.0.0.1:${port}/` }));
  expect(Buffer.from(sent.slice('Basic '.length), 'base64').toString()).toMatch(/^a%zz:b%(25)?$/);
});
