import { expect, test } from 'vitest';
import { read, withOperation } from '../../../../test/read.ts';

const serversOf = async (
  rest: object,
  operation: object = {},
  url: string | undefined = 'https://docs.example.org/v1/api.json',
) => {
  const { tool, baseUrl, warnings } = await read(withOperation(operation, { servers: undefined, ...rest }), {
    url,
  });
  return {
    urls: tool('api.t.run').plan.servers.map((server) => server.url),
    baseUrl,
    servers: tool('api.t.run').plan.servers,
    warnings,
  };
};
const swagger = { openapi: undefined, swagger: '2.0' };

test.each([
  [
    { servers: [{ url: 'https://a.example/v2/' }, { url: 'http://b.example' }] },
    ['https://a.example/v2', 'http://b.example'],
  ],
  [{ servers: [{ url: '/v3' }] }, ['https://docs.example.org/v3']],
  [{ servers: [{ url: '../v4' }] }, ['https://docs.example.org/v4']],
  [{ servers: [{ url: '//c.example/x' }] }, ['https://c.example/x']],
  [{ servers: [{ url: 'v1.0' }] }, ['https://docs.example.org/v1/v1.0']],
  [{ servers: [{ url: 'd.example/v1' }] }, ['https://docs.example.org/v1/d.example/v1']],
  [{ servers: [] }, ['https://docs.example.org']],
  [{}, ['https://docs.example.org']],
  [{ servers: 'x' }, ['https://docs.example.org']],
  [
    { ...swagger, host: 'a.example', basePath: '/v1/', schemes: ['http', 'https', 'ws'] },
    ['https://a.example/v1', 'http://a.example/v1'],
  ],
  [{ ...swagger, host: 'https://a.example/', basePath: 'v1' }, ['https://a.example/v1']],
  [{ ...swagger, basePath: '/v1' }, ['https://docs.example.org/v1']],
  [{ ...swagger }, ['https://docs.example.org']],
])('%j has the servers %j', async (rest, urls) => {
  expect((await serversOf(rest)).urls).toEqual(urls);
});

test('servers of an operation take precedence over those of its path and document', async () => {
  const rest = { servers: [{ url: 'https://document.example' }] };
  expect((await serversOf(rest, { servers: [{ url: 'https://operation.example' }] })).urls).toEqual([
    'https://operation.example',
  ]);
  const document = withOperation({}, rest);
  Object.assign(Object.values(document.paths)[0] as object, { servers: [{ url: 'https://path.example' }] });
  expect((await read(document)).tool('api.t.run').plan.servers).toEqual([{ url: 'https://path.example' }]);
});

test('server variables keep their choices and defaults', async () => {
  const server = {
    url: 'https://{region}.example.com/{version}',
    variables: { region: { default: 'eu', enum: ['eu', 'us'] }, version: { enum: [2, 3] } },
  };
  const { servers, baseUrl } = await serversOf({ servers: [server] });
  expect(servers).toEqual([
    {
      url: server.url,
      variables: {
        region: { default: 'eu', enum: ['eu', 'us'] },
        version: { default: '2', enum: ['2', '3'] },
      },
    },
  ]);
  expect(baseUrl).toBe('https://eu.example.com/2');
});

test('the document lists the variables of all servers with their choices', async () => {
  const server = (url: string, variables: object) => ({ url: `https://a.example/${url}`, variables });
  const document = withOperation(
    { servers: [server('{region}/{free}', { region: { enum: ['us'] }, free: { default: 'x' } })] },
    {
      servers: [server('{region}/{open}/{free}', { region: { enum: ['eu', 'us'] }, free: { enum: ['y'] } })],
    },
  );
  expect((await read(document)).serverVariables).toEqual([
    ['region', ['eu', 'us']],
    ['open', []],
    ['free', []],
  ]);
});

test('base URL and target contain the values of server variables from the settings', async () => {
  const server = { url: 'https://{tenant}/v1', variables: { tenant: { default: 'api.example.com' } } };
  const document = withOperation({ servers: [server] }, { servers: [{ url: 'https://api.example.com' }] });
  const target = async (serverVariables?: Record<string, string>) =>
    (await read(document, { serverVariables })).tool('api.t.run').target;
  expect(await target()).toBeUndefined();
  expect(await target({ other: 'evil.example' })).toBeUndefined();
  expect(await target({ tenant: 'evil.example/api.example.com' })).toBe('https://evil.example');
  expect(await target({ tenant: 'api.example.com@evil.example' })).toBe('https://evil.example');
  const ofAll = await read(withOperation({}, { servers: [server] }), {
    serverVariables: { tenant: 'two.example' },
  });
  expect(ofAll.baseUrl).toBe('https://two.example/v1');
});

test('a document passed as text without servers gets a warning', async () => {
  const { tool, warnings, baseUrl } = await read(withOperation({}, { servers: [{ url: '/v1' }] }), {
    url: undefined,
  });
  expect([tool('api.t.run').plan.servers, baseUrl]).toEqual([[], undefined]);
  expect(warnings[0]?.message).toMatch(/Set a base URL/);
});

test.each([
  ['d.example/v1', ['https://d.example/v1']],
  ['d.example:8443', ['https://d.example:8443']],
  ['v1.0', []],
  ['./v1', []],
])('in a document passed as text, the server %s is %j', async (url, urls) => {
  const { tool } = await read(withOperation({}, { servers: [{ url }] }), { url: undefined });
  expect(tool('api.t.run').plan.servers.map((server) => server.url)).toEqual(urls);
});

test.each([
  [{ servers: [{ url: 'https://me:pw@a.example/v1' }] }, 'https://a.example/v1'],
  [{ servers: [{ url: 'https://%zz@b@a.example/@x' }] }, 'https://a.example/@x'],
  [{ servers: [{ url: '//me@a.example' }] }, 'https://a.example'],
  [{ ...swagger, host: 'me:pw@a.example' }, 'https://a.example'],
])('user name and password in %j are removed', async (rest, url) => {
  const { urls, warnings } = await serversOf(rest);
  expect(urls).toEqual([url]);
  expect(warnings).toEqual([
    { place: expect.any(String), message: expect.stringContaining('name or password') },
  ]);
});
