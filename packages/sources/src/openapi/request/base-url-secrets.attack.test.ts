import type { Tool } from '@executor/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../test/local-server.ts';
import { read, withOperation } from '../../../test/read.ts';
import { createHttpClient } from '../../http/create-http-client.ts';
import type { HttpClient } from '../../http/http-client.ts';
import { createOpenApiSource } from '../openapi-source.ts';

/* A preview may be shown in the dialog of an agent's client, and code sees links and errors. */

const secret = 'sesame-9f8e7d6c5b4a';
let http: HttpClient;
let server: LocalServer;
let tool: Tool;
let received = '';
beforeAll(async () => {
  http = createHttpClient();
  server = await startLocalServer((request, response) => {
    received = request.url ?? '';
    response.setHeader('link', `<${request.url}&page=2>; rel="next"`);
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  const parameters = [{ name: 'page', in: 'query', schema: { type: 'integer' } }];
  tool = (await read(withOperation({ parameters }))).tool('api.t.run');
});
afterAll(async () => {
  await http.close();
  await server.close();
});

const source = () => createOpenApiSource({ http, readerFolder: '' });

test('A preview names the query of the base URL without its values', () => {
  const preview = (baseUrl: string) =>
    source().preview({ tool, input: { page: 1 }, settings: { document: '', baseUrl } }).url;
  expect(preview(`https://ada:${secret}@a.test/v1?key=${secret}&v=1`)).toBe(
    'https://a.test/v1/things?key=***&v=***&page=1',
  );
  expect(preview(`https://a.test/v1?${secret}`)).toBe('https://a.test/v1/things?***&page=1');
  expect(preview('https://a.test/v1')).toBe('https://a.test/v1/things?page=1');
});

test('An error about a base URL does not repeat its query', async () => {
  const settings = { document: '', baseUrl: `ftp://ada:${secret}@a.test/?key=${secret}` };
  const preview = source().preview({ tool, input: {}, settings });
  expect(preview).toMatchObject({ problem: expect.stringContaining('ftp://a.test/ is not an http') });
  expect(JSON.stringify(preview)).not.toContain(secret);
});

test('A link leads to the next page without the query of the base URL', async () => {
  const outcome = await source().invoke(
    {
      tool,
      input: { $response: 'full' },
      settings: { document: '', baseUrl: `${server.url}/?key=${secret}`, allowPrivateNetwork: true },
      auth: {},
      call: { workspaceId: 'ws', executionId: 'exe', index: 0, attempt: 1, id: 'exe.0' },
      ask: () => Promise.reject(new Error('There is no user.')),
      sourceId: 'src',
      progress() {},
      log() {},
      allowAnswer: async () => {},
      putArtifact: async () => ({ artifactId: 'art', mediaType: '', bytes: 0 }),
      readArtifact: async () => undefined,
    },
    AbortSignal.timeout(20_000),
  );
  expect(received).toContain(`key=${secret}`);
  const { links } = JSON.parse((outcome as { json: string }).json);
  expect(links.next).toEqual({
    url: `${server.url}/things?page=2`,
    input: { $response: 'full', page: 2 },
  });
});
