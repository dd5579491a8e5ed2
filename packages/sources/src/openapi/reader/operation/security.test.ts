import { expect, test } from 'vitest';
import { read, withOperation } from '../../../../test/read.ts';

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'Ask <b>us</b>' },
  token: { type: 'http', scheme: 'Bearer' },
  oauth: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: { read: 'Read' } } },
  },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/.well-known' },
  tls: { type: 'mutualTLS' },
  odd: { type: 'magic' },
};

test('schemes of every type are read', async () => {
  const { security, warnings } = await read(withOperation({}, { components: { securitySchemes } }));
  expect(security).toEqual([
    { name: 'key', type: 'apiKey', in: 'header', key: 'X-Key', description: 'Ask us' },
    { name: 'token', type: 'http', scheme: 'bearer' },
    { name: 'oauth', type: 'oauth2', flows: securitySchemes.oauth.flows },
    { name: 'oidc', type: 'openIdConnect', url: 'https://a.example/.well-known' },
    { name: 'tls', type: 'mutualTls' },
  ]);
  expect(warnings).toEqual([
    { place: '/components/securitySchemes/odd', message: expect.stringContaining('is unknown') },
  ]);
});

test('the stored size of a scheme is limited', async () => {
  const scopes = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [`s${index}`, 'w'.repeat(1_000)]),
  );
  const flows = {
    implicit: { authorizationUrl: 'https://a.example', scopes, 'x-more': scopes },
    password: [],
  };
  const { security } = await read(
    withOperation({}, { components: { securitySchemes: { oauth: { type: 'oauth2', flows } } } }),
  );
  expect(JSON.stringify(security).length).toBeLessThan(300_000);
  expect(security[0]).toMatchObject({ flows: { implicit: { authorizationUrl: 'https://a.example' } } });
});

test('Swagger schemes are read', async () => {
  const securityDefinitions = {
    basic: { type: 'basic' },
    oauth: {
      type: 'oauth2',
      flow: 'accessCode',
      authorizationUrl: 'https://a.example/a',
      tokenUrl: 'https://a.example/t',
      scopes: { s: '' },
    },
  };
  const { security } = await read(
    withOperation({}, { openapi: undefined, swagger: '2.0', securityDefinitions }),
  );
  expect(security).toEqual([
    { name: 'basic', type: 'http', scheme: 'basic' },
    {
      name: 'oauth',
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://a.example/a',
          tokenUrl: 'https://a.example/t',
          scopes: { s: '' },
        },
      },
    },
  ]);
});

test.each([
  ['the scheme of the document', undefined, [[{ scheme: 'key' }]]],
  [
    'the schemes of the operation',
    [{ oauth: ['read'], key: [] }, { token: [] }],
    [[{ scheme: 'oauth', scopes: ['read'] }, { scheme: 'key' }], [{ scheme: 'token' }]],
  ],
  ['no scheme', [], [[]]],
  ['no scheme, as an empty alternative', [{}], [[]]],
  ['an optional scheme', [{ token: [] }, {}], [[{ scheme: 'token' }], []]],
  ['only declared schemes', [{ unknown: [] }, { token: [] }], [[{ scheme: 'token' }]]],
])('an operation requires %s', async (_, security, expected) => {
  const { tool } = await read(
    withOperation({ security }, { components: { securitySchemes }, security: [{ key: [] }] }),
  );
  expect(tool('api.t.run').security).toEqual(expected);
});

test.each([[[]], [[{}]]])('security %j in a document without schemes is ignored', async (security) => {
  const { tool } = await read(withOperation({}, { security }));
  expect(tool('api.t.run').security).toBeUndefined();
});
