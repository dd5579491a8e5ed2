import { afterEach, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test/local-server.ts';
import { createHttpClient, type HttpClientOptions } from '../http/create-http-client.ts';
import { createAccessProbe } from './access-probe.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const resourcePath = '/.well-known/oauth-protected-resource';

async function serve(answer: (server: LocalServer, path: string) => object | undefined) {
  const asked: string[] = [];
  const server: LocalServer = await startLocalServer((request, response) => {
    asked.push(request.url ?? '');
    const body = answer(server, request.url ?? '');
    response.writeHead(body ? 200 : 401).end(body && JSON.stringify(body));
  });
  open.push(server);
  return { ...server, asked };
}

function probe(url: string, options: HttpClientOptions & { allowPrivateNetwork?: boolean } = {}) {
  const { allowPrivateNetwork = true, ...client } = options;
  const http = createHttpClient(client);
  open.push(http);
  const seen: string[] = [];
  const found = createAccessProbe(http).probe(url, {
    signal: AbortSignal.timeout(2_000),
    allowPrivateNetwork,
    report: ({ request, outcome }) => seen.push(`${request}: ${outcome}`),
  });
  return { found, seen };
}

test('metadata leads to no other private host', async () => {
  const secret = await serve(() => ({ issuer: 'x' }));
  for (const host of ['127.0.0.2', 'localhost', '[::1]']) {
    const server = await serve(({ url }, path) =>
      path === resourcePath
        ? { resource: url, authorization_servers: [`http://${host}:${secret.port}`] }
        : undefined,
    );
    const { security } = (await probe(server.url).found) ?? {};
    expect(security).toEqual([]);
  }
  expect(secret.asked).toEqual([]);
});

test('a challenge leads to metadata on its own origin only', async () => {
  const other = await serve(() => ({}));
  const server = await startLocalServer((_, response) => {
    const metadata = `${other.url}${resourcePath}`;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
  });
  open.push(server);
  await probe(server.url).found;
  expect(other.asked).toEqual([]);
});

test('a name that resolves to this machine is refused, whatever it resolved to before', async () => {
  const server = await serve(() => ({}));
  const addresses = ['127.0.0.1', '10.0.0.1', '169.254.169.254'];
  for (const address of addresses) {
    const resolve = async () => [{ address, family: 4 }];
    const { found } = probe(`http://rebound.test:${server.port}/`, { resolve, allowPrivateNetwork: false });
    await expect(found).rejects.toMatchObject({ code: 'unreachable' });
  }
  expect(server.asked).toEqual([]);
});

test('metadata of another resource or another issuer is ignored', async () => {
  const server = await serve(({ url }, path) => {
    if (path === resourcePath) return { resource: 'https://elsewhere.test', authorization_servers: [url] };
    if (path.includes('oauth-authorization-server'))
      return { issuer: 'https://elsewhere.test', authorization_endpoint: url, token_endpoint: url };
    return undefined;
  });
  expect((await probe(server.url).found)?.security).toEqual([]);
});

test('addresses that are not http are dropped, and only a few servers are asked', async () => {
  const server = await serve(({ url }, path) => {
    if (path === resourcePath)
      return {
        resource: url,
        authorization_servers: [
          'file:///etc/passwd',
          'javascript:1',
          ...Array.from({ length: 1_000 }, (_, index) => `${url}/as${index}`),
        ],
      };
    if (path === '/.well-known/oauth-authorization-server/as0')
      return {
        issuer: `${url}/as0`,
        authorization_endpoint: 'javascript:alert(1)',
        token_endpoint: 'file:///x',
      };
    return undefined;
  });
  expect((await probe(server.url).found)?.security).toEqual([]);
  expect(server.asked.length).toBeLessThan(12);
});

test('metadata without an end is not read to the end', async () => {
  let sent = 0;
  const server = await startLocalServer((request, response) => {
    if (request.url !== resourcePath) return response.writeHead(401).end();
    const more = () => {
      sent += 65_536;
      if (!response.destroyed && sent < 1_000_000_000) response.write(' '.repeat(65_536), more);
    };
    return more();
  });
  open.push(server);
  expect((await probe(server.url).found)?.refused).toBe(true);
  expect(sent).toBeLessThan(50_000_000);
});

test('a challenge of many megabytes, or a hostile one, is no credential', async () => {
  const challenges = [
    `Bearer ${'a="b",'.repeat(2_000)}`,
    'Bearer realm="\\',
    ',,,,',
    '=',
    'Bearer '.repeat(500),
  ];
  for (const challenge of challenges) {
    const server = await startLocalServer((_, response) => {
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    });
    open.push(server);
    expect((await probe(server.url).found)?.refused).toBe(true);
  }
});
