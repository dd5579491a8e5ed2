import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGarden } from '../../test/graphql/garden.ts';
import { startLocalServer } from '../../test/local-server.ts';
import { createHttpClient } from '../http/create-http-client.ts';
import type { HttpClient } from '../http/http-client.ts';
import { detectEndpoint } from './detect-endpoint.ts';

let http: HttpClient;
beforeAll(() => {
  http = createHttpClient();
});
afterAll(() => http.close());

const detect = (url: string, options = {}) =>
  detectEndpoint(http, url, { signal: AbortSignal.timeout(5_000), allowPrivateNetwork: true, ...options });

test('a server is detected at its URL, and at the usual path below a URL', async () => {
  const garden = await startGarden();
  const url = garden.endpoint;
  expect(await detect(url)).toEqual({ settings: { url }, servers: [url] });
  expect(new URL(url).pathname).toBe('/graphql');
  expect(await detect(new URL(url).origin)).toMatchObject({ settings: { url } });
  expect(await detect(new URL(url).origin, { near: true })).toBeUndefined();
  expect(await detect(url, { allowPrivateNetwork: false })).toBeUndefined();
  await garden.close();
});

test.each<[string, unknown, string | undefined]>([
  ['a server that hides its schema', { data: null, errors: [{ message: 'no introspection' }] }, 'likely'],
  [
    'a server that names the kind of error',
    { errors: [{ message: 'x', extensions: { code: 'Y' } }] },
    'likely',
  ],
  ['a JSON API with errors', { errors: [{ message: 'x' }] }, undefined],
  ['odd data', { data: { __schema: 7 }, errors: 3 }, undefined],
  ['null', null, undefined],
])('the answer of %s is judged', async (_, answer, confidence) => {
  const server = await startLocalServer((__, response) => response.end(JSON.stringify(answer)));
  const found = await detect(`${server.url}/graphql`);
  expect(found?.confidence).toBe(confidence);
  expect(found === undefined).toBe(confidence === undefined);
  await server.close();
});

test('answers without an end and redirects to other hosts lead nowhere', async () => {
  const asked: string[] = [];
  const other = await startLocalServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{"data":{"__schema":{"queryType":{"name":"Query"}}}}');
  });
  const server = await startLocalServer((request, response) => {
    if (request.url === '/moved') return response.writeHead(307, { location: `${other.url}/x` }).end();
    const more = () => !response.destroyed && response.write(' '.repeat(65_536), more);
    return more();
  });
  expect(await detect(`${server.url}/graphql`)).toBeUndefined();
  expect(await detect(`${server.url}/moved`, { near: true })).toBeUndefined();
  expect(asked).toEqual([]);
  await Promise.all([server.close(), other.close()]);
});
