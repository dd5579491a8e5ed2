import { afterEach, expect, test } from 'vitest';
import { startLocalServer } from '../../test/local-server.ts';
import { createHttpClient } from './create-http-client.ts';
import { probeDocuments } from './probe.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Things "of" mine', version: '1' },
  paths: {},
});

async function probe(path: string, pages: Record<string, string | undefined>, near = false) {
  const server = await startLocalServer((request, response) => {
    const page = pages[request.url ?? ''];
    response.writeHead(page === undefined ? 404 : 200).end(page ?? 'not here');
  });
  const http = createHttpClient();
  open.push(server, http);
  const options = { signal: AbortSignal.timeout(20_000), allowPrivateNetwork: true, near };
  const found = await probeDocuments(http, server.url + path, options);
  return found.map((one) => ({ ...one, url: one.url.slice(server.url.length) }));
}

const title = 'Things "of" mine';

test.each<[string, string, Record<string, string>, object | undefined]>([
  ['the address itself', '/x.json', { '/x.json': document }, { url: '/x.json', title }],
  [
    'YAML',
    '/x',
    { '/x': '# mine\nopenapi: 3.0.3\ninfo:\n  title: "Y aml"\n' },
    { url: '/x', title: 'Y aml' },
  ],
  [
    'a common path below the URL',
    '/api/',
    { '/api/': 'hi', '/api/openapi.json': document },
    { url: '/api/openapi.json', title },
  ],
  [
    'a common path below the URL without a trailing slash',
    '/api',
    { '/api/v3/api-docs': document },
    { url: '/api/v3/api-docs', title },
  ],
  [
    'a common path of the origin',
    '/deep/er',
    { '/swagger/v1/swagger.json': document },
    { url: '/swagger/v1/swagger.json', title, confidence: 'likely' },
  ],
  [
    'the document of Swagger UI',
    '/docs',
    {
      '/docs': '<html><script>SwaggerUIBundle({ url: "/spec-of/mine", dom_id: 1 })</script>',
      '/spec-of/mine': document,
    },
    { url: '/spec-of/mine', title },
  ],
  [
    'the document of Swagger UI with a separate configuration script',
    '/docs/',
    {
      '/docs/': '<html><script src="./swagger-initializer.js"></script>',
      '/docs/swagger-initializer.js':
        '/* x */ window.ui = SwaggerUIBundle({ urls: [{"url":"../mine.yaml"}] })',
      '/mine.yaml': 'swagger: "2.0"\n',
    },
    { url: '/mine.yaml' },
  ],
  [
    'the document of Redoc',
    '/',
    { '/': '<html><redoc spec-url="mine"></redoc>', '/mine': document },
    { url: '/mine', title },
  ],
  [
    'the document of Scalar',
    '/',
    {
      '/': '<html><script id="api-reference" data-url="/mine?a=1&amp;b=2"></script>',
      '/mine?a=1&b=2': document,
    },
    { url: '/mine?a=1&b=2', title },
  ],
  [
    'a document with its version at the end',
    '/x',
    { '/x': `{"paths":{},"a":"${'x'.repeat(300_000)}","swagger":"2.0"}` },
    { url: '/x' },
  ],
  ['JSON of something else', '/x', { '/x': '{"hello":"openapi"}' }, undefined],
  ['a page about something else', '/', { '/': '<html>openapi: 3.0.0</html>' }, undefined],
])('the probe finds %s', async (_, path, pages, expected) => {
  expect(await probe(path, pages)).toEqual(expected ? [expected] : []);
});

test('a probe with `near` follows links of the page and paths below the URL, but no other paths of the host', async () => {
  const ofHost = { '/openapi.json': document };
  for (const other of ['{"hello":"world"}', '<html>Hello</html>'])
    expect(await probe('/deep/x', { ...ofHost, '/deep/x': other }, true)).toEqual([]);
  const page = { ...ofHost, '/deep/x': '<html><redoc spec-url="/openapi.json"></redoc>' };
  expect(await probe('/deep/x', page, true)).toEqual([{ url: '/openapi.json', title }]);
  expect(await probe('/', { ...ofHost, '/': '{"hello":"world"}' }, true)).toEqual([
    { url: '/openapi.json', title },
  ]);
});

test('the probe gives up if the server never responds', async () => {
  const server = await startLocalServer(() => {});
  const http = createHttpClient();
  open.push(server, http);
  const options = { signal: AbortSignal.timeout(300), allowPrivateNetwork: true };
  expect(await probeDocuments(http, server.url, options)).toEqual([]);
});

test('links of a page may reach only its own private host', async () => {
  const asked: string[] = [];
  const secret = await startLocalServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(document);
  });
  const page = `<html><redoc spec-url="http://127.0.0.2:${secret.port}/x"></redoc>`;
  const otherHost = `<html><redoc spec-url="http://localhost:${secret.port}/x"></redoc>`;
  for (const text of [page, otherHost]) expect(await probe('/', { '/': text })).toEqual([]);
  await secret.close();
  expect(asked).toEqual([]);
});

test('blank lines before a title are ignored', async () => {
  const blank = `openapi: 3.0.3\ninfo:\n${'\n'.repeat(15_000)}  title: Late\n`;
  expect(await probe('/x', { '/x': blank })).toEqual([{ url: '/x', title: 'Late' }]);
});

test('a page that links to several documents leads to all of them, and to a document in two formats once', async () => {
  const named = (name: string) => JSON.stringify({ openapi: '3.1.0', info: { title: name, version: '1' } });
  const page = '<html><script>urls: [{"url":"/a.json"},{"url":"/a.yaml"},{"url":"/b.json"}]</script>';
  const yaml = 'openapi: 3.1.0\ninfo:\n  title: A\n';
  const pages = { '/docs': page, '/a.json': named('A'), '/a.yaml': yaml, '/b.json': named('B') };
  expect(await probe('/docs', pages)).toEqual([
    { url: '/a.json', title: 'A' },
    { url: '/b.json', title: 'B' },
  ]);
});

test('the probe reports what it saw, and tries the common paths while the URL itself is silent', async () => {
  const server = await startLocalServer((request, response) => {
    if (request.url === '/openapi.json') response.end(document);
    else if (request.url !== '/') response.writeHead(404).end();
  });
  const http = createHttpClient();
  open.push(server, http);
  const seen: string[] = [];
  const found = await probeDocuments(http, server.url, {
    signal: AbortSignal.timeout(2_000),
    allowPrivateNetwork: true,
    report: ({ request, outcome }) => seen.push(`${request.replace(server.url, '')}: ${outcome}`),
  });
  expect(found).toEqual([{ url: `${server.url}/openapi.json`, title }]);
  expect(seen).toContain('GET /openapi.json: an OpenAPI document');
  expect(seen).toContain('GET /swagger.json: responded with 404');
  expect(seen).toContain('GET : timed out');
});
