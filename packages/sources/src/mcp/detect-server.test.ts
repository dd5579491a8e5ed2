import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalServer } from '../../test/local-server.ts';
import { startMcpServer } from '../../test/mcp/http-servers.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { HttpClient } from '../http/http-client.ts';
import { createMcpSource } from './mcp-source.ts';

let http: HttpClient;
beforeAll(() => {
  http = createHttpClient();
});
afterAll(() => http.close());

async function detect(url: string, allowPrivateNetwork = true) {
  const source = createMcpSource({ http });
  const seen: string[] = [];
  const found = await source.detect?.(url, {
    signal: AbortSignal.timeout(5_000),
    allowPrivateNetwork,
    report: ({ outcome }) => seen.push(outcome),
  });
  await source.close?.();
  return { found, seen };
}

describe.each(['legacy', 'modern'] as const)('A %s server', (era) => {
  test('is detected at its URL, with its title and transport', async () => {
    const server = await startMcpServer(era);
    const { url } = server;
    const found = { settings: { url }, title: 'The Fixture', transport: 'http', servers: [url] };
    expect((await detect(url)).found).toEqual(found);
    expect((await detect(url, false)).found).toBeUndefined();
    await server.close();
  });
});

test('a server that asks for credentials is likely one of MCP if the typed URL says so', async () => {
  const server = await startLocalServer((_, response) => response.writeHead(401).end());
  const url = `${server.url}/mcp`;
  expect(await detect(url)).toMatchObject({
    found: { settings: { url }, confidence: 'likely' },
    seen: ['no MCP server, responded with 401'],
  });
  expect((await detect(`${server.url}/api`)).found).toBeUndefined();
  await server.close();
});

test('other servers, silent ones and endless answers are none', async () => {
  const server = await startLocalServer((request, response) => {
    if (request.url?.startsWith('/page')) response.end('<html>');
    else if (request.url?.startsWith('/json')) response.end('{"jsonrpc":"2.0","id":7,"result":{}}');
    else if (request.url?.startsWith('/endless')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': never\n\n');
    }
  });
  for (const path of ['/page', '/json']) expect((await detect(server.url + path)).found).toBeUndefined();
  const source = createMcpSource({ http });
  for (const path of ['/silent', '/endless'])
    expect(
      await source.detect?.(server.url + path, {
        signal: AbortSignal.timeout(300),
        allowPrivateNetwork: true,
      }),
    ).toBeUndefined();
  await source.close?.();
  await server.close();
});
