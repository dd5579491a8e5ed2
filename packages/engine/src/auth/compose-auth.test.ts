import type { SourceAuth } from '@executor/protocol';
import { describe, expect, test } from 'vitest';
import type { FoundTool } from '../catalog/opened-source.ts';
import type { SecurityRequirement, SecurityScheme } from '../ports/source.ts';
import { composeAuth } from './compose-auth.ts';
import { credentialsMissing } from './credentials-missing.ts';

const schemes: SecurityScheme[] = [
  { name: 'token', type: 'http', scheme: 'bearer' },
  { name: 'login', type: 'http', scheme: 'Basic' },
  { name: 'odd', type: 'http', scheme: 'Token' },
  { name: 'key', type: 'apiKey', in: 'header', key: 'X-Key' },
  { name: 'inQuery', type: 'apiKey', in: 'query', key: 'api_key' },
  { name: 'inCookie', type: 'apiKey', in: 'cookie', key: 'sid' },
  { name: 'old', type: 'apiKey', in: 'header', key: 'authorization' },
  { name: 'oauth', type: 'oauth2', flows: {} },
  { name: 'oidc', type: 'openIdConnect', url: 'https://id.test' },
  { name: 'certificate', type: 'mutualTls' },
];
const bearer: SourceAuth = { type: 'bearer', token: 't0' };
const basic: SourceAuth = { type: 'basic', username: 'ada', password: 'p:w' };
const needs = (...alternatives: string[][]): SecurityRequirement[] =>
  alternatives.map((names) => names.map((scheme) => ({ scheme })));
const compose = (auth: SourceAuth, requirements?: SecurityRequirement[]) => {
  const composed = composeAuth({ auth, schemes }, requirements);
  return composed.type === 'ready' ? composed.auth : composed.type;
};
const authorization = (value: string) => ({ headers: { Authorization: value } });

describe('Headers in addition to the values of schemes', () => {
  const both = (values: Record<string, string>): SourceAuth => ({
    type: 'schemes',
    schemes: values,
    headers: { 'X-Tenant': 't', 'x-key': 'by hand' },
  });

  test('are sent with them, and scheme values win on conflict', () => {
    expect(compose(both({ key: 'k' }), needs(['key']))).toEqual({
      headers: { 'X-Tenant': 't', 'X-Key': 'k' },
    });
    expect(compose(both({ token: 't1' }))).toEqual({
      headers: { 'X-Tenant': 't', 'x-key': 'by hand', Authorization: 'Bearer t1' },
    });
  });

  test('stand in for schemes without a value, but not for a scheme with one or for a certificate', () => {
    expect(compose(both({ token: 't1' }), needs(['key'], ['token']))).toMatchObject({
      headers: { Authorization: 'Bearer t1' },
    });
    expect(compose(both({}), needs(['key']))).toEqual({ headers: { 'X-Tenant': 't', 'x-key': 'by hand' } });
    expect(compose(both({}), needs(['certificate']))).toBe('missing');
  });
});

describe('The credentials of a call', () => {
  test.each<[string, SourceAuth, string, unknown]>([
    ['a bearer token', bearer, 'token', authorization('Bearer t0')],
    ['a bearer token for OAuth', bearer, 'oauth', authorization('Bearer t0')],
    ['a bearer token for OpenID', bearer, 'oidc', authorization('Bearer t0')],
    ['a bearer token where the header is described', bearer, 'old', authorization('Bearer t0')],
    ['a bearer token for a scheme that nobody describes', bearer, 'nowhere', authorization('Bearer t0')],
    ['no bearer token for a key', bearer, 'key', 'missing'],
    ['no bearer token for a login', bearer, 'login', 'missing'],
    ['a login', basic, 'login', authorization('Basic YWRhOnA6dw==')],
    ['a login where the header is described', basic, 'old', authorization('Basic YWRhOnA6dw==')],
    ['no login for a token', basic, 'token', 'missing'],
    [
      'a key',
      { type: 'apiKey', in: 'header', name: 'x-key', value: 'k' },
      'key',
      { headers: { 'x-key': 'k' } },
    ],
    [
      'a key in the query',
      { type: 'apiKey', in: 'query', name: 'api_key', value: 'k' },
      'inQuery',
      { query: { api_key: 'k' } },
    ],
    [
      'a key in a cookie',
      { type: 'apiKey', in: 'cookie', name: 'sid', value: 'k' },
      'inCookie',
      { cookies: { sid: 'k' } },
    ],
    [
      'no key under another name',
      { type: 'apiKey', in: 'query', name: 'API_KEY', value: 'k' },
      'inQuery',
      'missing',
    ],
    [
      'headers for anything',
      { type: 'headers', headers: { 'x-any': 'h' } },
      'inQuery',
      { headers: { 'x-any': 'h' } },
    ],
    ['nothing for a certificate', { type: 'headers', headers: { 'x-any': 'h' } }, 'certificate', 'missing'],
    [
      'a value by its name',
      { type: 'schemes', schemes: { inQuery: 'q' } },
      'inQuery',
      { query: { api_key: 'q' } },
    ],
    [
      'a value of another scheme',
      { type: 'schemes', schemes: { odd: 'v' } },
      'odd',
      authorization('Token v'),
    ],
    [
      'a login by its name',
      { type: 'schemes', schemes: { login: { username: 'a', password: 'b' } } },
      'login',
      authorization('Basic YTpi'),
    ],
    [
      'no login as a key',
      { type: 'schemes', schemes: { key: { username: 'a', password: 'b' } } },
      'key',
      'missing',
    ],
    ['no inherited name', { type: 'schemes', schemes: {} }, 'constructor', 'missing'],
  ])('%s', (_, auth, scheme, expected) => {
    expect(compose(auth, needs([scheme]))).toEqual(expected);
  });

  test('are those of the first alternative with all values', () => {
    const auth: SourceAuth = { type: 'schemes', schemes: { key: 'k', inQuery: 'q', token: 't' } };
    expect(compose(auth, needs(['key', 'login'], ['key', 'inQuery'], ['token']))).toEqual({
      headers: { 'X-Key': 'k' },
      query: { api_key: 'q' },
    });
  });

  test('are empty only if no other alternative is possible', () => {
    expect(compose(bearer, needs([], ['token']))).toEqual(authorization('Bearer t0'));
    expect(compose({ type: 'none' }, needs(['token'], []))).toEqual({});
    expect(compose(basic, needs(['token'], []))).toEqual({});
    expect(compose({ type: 'none' }, needs(['token']))).toBe('missing');
  });

  test('are only the headers of the user if the document says that none are needed', () => {
    expect(compose(bearer, needs([]))).toEqual({});
    const headers = { 'x-any': 'h' };
    expect(compose({ type: 'headers', headers }, needs([]))).toEqual({ headers });
    expect(compose({ type: 'schemes', schemes: { key: 'k' }, headers }, needs([]))).toEqual({ headers });
  });

  test('are what the user set if the document says nothing', () => {
    expect(compose(bearer)).toEqual(authorization('Bearer t0'));
    expect(compose(basic, [])).toEqual(authorization('Basic YWRhOnA6dw=='));
    expect(compose({ type: 'schemes', schemes: { key: 'k', unknown: 'u' } })).toEqual({
      headers: { 'X-Key': 'k' },
    });
    expect(compose({ type: 'none' })).toEqual({});
  });
});

test('The error for missing credentials names them and the command that sets them', () => {
  const missing = (requirements: SecurityRequirement[], auth: SourceAuth = { type: 'none' }) => {
    const composed = composeAuth({ auth, schemes }, requirements);
    if (composed.type === 'ready') throw new Error('nothing is missing');
    const tool = { path: 'api.list', namespace: 'api' } as FoundTool['tool'];
    return credentialsMissing({ tool, access: { auth, schemes } }, composed);
  };
  expect(missing(needs(['token'], ['key', 'login']))).toEqual({
    type: 'error',
    name: 'ToolError',
    message:
      'api.list needs credentials that the source does not have: token (HTTP bearer), or key (a key in the header X-Key) and login (HTTP Basic). A person can set them: executor sources edit api --bearer',
    details: JSON.stringify({ code: 'credentialsMissing', schemes: [['token'], ['key', 'login']] }),
  });
  expect(missing(needs(['key']))).toMatchObject({
    message: expect.stringContaining('edit api --api-key header:X-Key'),
  });
  expect(missing(needs(['login']))).toMatchObject({ message: expect.stringContaining('edit api --basic') });
  expect(missing(needs(['key', 'login']), { type: 'schemes', schemes: { key: 'k' } })).toMatchObject({
    message: expect.stringContaining(
      'does not have: login (HTTP Basic). A person can set them: executor sources edit api --scheme login',
    ),
  });
  expect(missing(needs(['certificate'], ['key']))).toMatchObject({
    message: expect.stringContaining('can set them: executor sources edit api --api-key header:X-Key'),
  });
  expect(missing(needs(['certificate']))).toMatchObject({
    message:
      'api.list needs credentials that the source does not have: certificate (a client certificate). A person can set them: executor sources edit api --client-certificate FILE --client-key FILE',
  });
});
