import { ExecutorError } from '@executor/protocol';
import { expect, test } from 'vitest';
import type { AccessProbe } from '../../ports/access-probe.ts';
import type { DetectedSource, Source } from '../../ports/source.ts';
import { detectSource } from './detect-source.ts';

const typed = 'https://acme.test/api';

type Detect = NonNullable<Source['detect']>;

function kind(name: string, detect: Detect): Source {
  const never = async () => {
    throw new Error('never called');
  };
  return { kind: name, detect, load: never, preview: () => ({}), invoke: never };
}

const at = (url: string, facts: Partial<DetectedSource> = {}): Detect => {
  return async () => ({ settings: { url }, ...facts });
};
const nothing: Detect = async () => undefined;
const silent: Detect = () => new Promise(() => {});

function detect(kinds: Source[], access?: AccessProbe['probe'], question = { url: typed }) {
  const catalog = { reservedNamespaces: async () => ['taken'] };
  return detectSource('wsp_1', question, {
    kinds,
    catalog,
    ...(access && { accessProbe: { probe: access } }),
  });
}

test('a single result has every part with a confidence, and what each probe saw', async () => {
  const url = `${typed}/openapi.json`;
  const openapi = kind('openapi', async (_, { report }) => {
    report?.({ request: `GET ${url}`, outcome: 'an OpenAPI document' });
    const security = [{ type: 'apiKey' as const, name: 'key', in: 'query' as const, key: 'k' }];
    return { settings: { url }, title: 'Taken API', servers: ['https://acme.test/v1'], security };
  });
  expect(await detect([openapi, kind('graphql', nothing)])).toEqual({
    kind: 'openapi',
    url,
    name: 'Taken API',
    title: 'Taken API',
    namespace: 'taken2',
    transport: 'http',
    servers: ['https://acme.test/v1'],
    auth: [{ type: 'apiKey', name: 'key', in: 'query', key: 'k' }],
    credential: { message: 'Calls use a key in the query parameter k.' },
    confidence: {
      kind: 'certain',
      name: 'certain',
      namespace: 'likely',
      transport: 'likely',
      servers: 'certain',
      auth: 'certain',
    },
    choices: [],
    probes: [
      {
        kind: 'openapi',
        outcome: 'found',
        requests: [{ request: `GET ${url}`, outcome: 'an OpenAPI document' }],
      },
      { kind: 'graphql', outcome: 'nothing', requests: [] },
    ],
  });
});

test('what is not known is a guess', async () => {
  expect(await detect([kind('mcp', at(typed))])).toMatchObject({
    name: 'acme.test',
    namespace: 'acme',
    servers: ['https://acme.test'],
    confidence: { name: 'guess', namespace: 'guess', servers: 'guess', auth: 'guess' },
  });
});

test('two systems are a choice, also if one of them is likely only', async () => {
  const two = [
    kind('openapi', at(`${typed}/a.json`)),
    kind('mcp', at(`${typed}/mcp`, { confidence: 'likely' })),
  ];
  const detected = await detect(two);
  expect(detected.kind).toBeUndefined();
  expect(detected.choices.map(({ kind, url, confidence }) => [kind, url, confidence.kind])).toEqual([
    ['openapi', `${typed}/a.json`, 'certain'],
    ['mcp', `${typed}/mcp`, 'likely'],
  ]);
});

test('two documents of one kind are a choice', async () => {
  const both: Detect = async () => [{ settings: { url: `${typed}/a` } }, { settings: { url: `${typed}/b` } }];
  expect((await detect([kind('openapi', both)])).choices).toHaveLength(2);
});

test('a system at the typed URL itself is chosen if it is the only certain one there', async () => {
  const elsewhere = kind('openapi', at(`${typed}/a.json`));
  expect(await detect([elsewhere, kind('graphql', at(typed))])).toMatchObject({
    kind: 'graphql',
    choices: [],
  });
  const unsure = kind('graphql', at(typed, { confidence: 'likely' }));
  expect((await detect([elsewhere, unsure])).kind).toBeUndefined();
  expect((await detect([kind('mcp', at(typed)), kind('graphql', at(typed))])).kind).toBeUndefined();
});

test('the server says how to authenticate if the description does not', async () => {
  const access = async () => ({
    refused: true,
    authorizationServers: ['https://login.acme.test'],
    security: [
      { type: 'oauth2' as const, name: 'oauth', flows: { x: { authorizationUrl: 'https://a.test' } } },
    ],
  });
  const auth = [{ type: 'oauth2', name: 'oauth', url: 'https://a.test' }];
  const message = 'Calls use an OAuth 2 access token. Users sign in at https://login.acme.test.';
  expect(await detect([kind('mcp', at(typed))], access)).toMatchObject({
    auth,
    credential: { message },
    confidence: { auth: 'certain' },
  });
  const elsewhere = await detect([kind('mcp', at('https://other.test/mcp'))], access);
  expect(elsewhere.auth).toBeUndefined();
  expect(await detect([kind('mcp', nothing)], access)).toMatchObject({
    url: typed,
    auth,
    credential: { message },
  });
});

test('a known provider says where to get a key, and what its host is', async () => {
  const github = 'https://api.github.com';
  const found = await detect([kind('openapi', nothing)], undefined, { url: github });
  expect(found).toMatchObject({
    kind: 'openapi',
    name: 'GitHub',
    credential: {
      message: expect.stringContaining('Calls use a bearer token. Get one at https://github.com/settings/'),
      docsUrl: 'https://docs.github.com/en/rest',
    },
    confidence: { kind: 'likely', auth: 'likely' },
  });
  const two = await detect([kind('openapi', nothing), kind('graphql', nothing)], undefined, { url: github });
  expect(two.choices.map(({ kind }) => kind)).toEqual(['openapi', 'graphql']);
});

test('if nothing is found, the error says what every probe saw', async () => {
  const failing = kind('mcp', async () => {
    throw new Error('a secret detail');
  });
  const error = await detect([kind('openapi', nothing), failing]).catch((thrown) => thrown);
  expect(error).toMatchObject({
    code: 'unusableDocument',
    message: `No openapi, mcp description was found at ${typed}. Enter the URL of the API's description.`,
    details: {
      probes: [
        { kind: 'openapi', outcome: 'nothing' },
        { kind: 'mcp', outcome: 'failed' },
      ],
    },
  });
  expect(JSON.stringify(error.details)).not.toContain('secret');
});

test('the reason why a server is unreachable is the error', async () => {
  const access = async () => {
    throw new ExecutorError('unreachable', 'acme.test has no address.');
  };
  await expect(detect([kind('openapi', nothing)], access)).rejects.toMatchObject({
    code: 'unreachable',
    message: 'acme.test has no address.',
  });
});

test('probes that never end are left alone after the deadline', async () => {
  const silentAccess: AccessProbe['probe'] = () => new Promise(() => {});
  const kinds = [kind('openapi', silent), kind('mcp', silent)];
  await expect(detect(kinds, silentAccess)).rejects.toMatchObject({ code: 'timeout' });
  const found = await detect([...kinds, kind('graphql', at(typed))], silentAccess);
  expect(found).toMatchObject({ kind: 'graphql' });
  expect(found.probes.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout', 'found', 'timeout']);
});

test('a probe that reports without an end fills no memory', async () => {
  const noisy = kind('mcp', async (_, { report }) => {
    for (let index = 0; index < 10_000; index++)
      report?.({ request: 'x'.repeat(10_000), outcome: 'y'.repeat(10_000) });
    return { settings: { url: typed }, title: 't'.repeat(100_000), servers: Array(1_000).fill(typed) };
  });
  const found = await detect([noisy]);
  expect(JSON.stringify(found).length).toBeLessThan(100_000);
});

test('a public URL opens no private network, a typed private one does', async () => {
  const allowed: boolean[] = [];
  const asks = kind('openapi', async (_, { allowPrivateNetwork }) => {
    allowed.push(allowPrivateNetwork);
    return { settings: { url: typed } };
  });
  for (const url of [typed, 'http://localhost:3000/', 'http://169.254.169.254/', 'http://192.168.1.1/'])
    await detect([asks], undefined, { url });
  expect(allowed).toEqual([false, true, false, true]);
});
