import type { SourceAuth } from '@executor/protocol';
import { expect, test } from 'vitest';
import type { SecurityScheme } from '../ports/source.ts';
import { composeAuth } from './compose-auth.ts';
import { schemesOf } from './schemes-of.ts';

const old: SecurityScheme = { name: 'old', type: 'apiKey', in: 'header', key: 'authorization' };
const token: SecurityScheme = { name: 'token', type: 'http', scheme: 'bearer' };
const login: SecurityScheme = { name: 'login', type: 'http', scheme: 'basic' };
const key: SecurityScheme = { name: 'key', type: 'apiKey', in: 'query', key: 'k' };
const bearer: SourceAuth = { type: 'bearer', token: 't0' };
const basic: SourceAuth = { type: 'basic', username: 'ada', password: 'pw' };
const byKey = (place: 'header' | 'query' | 'cookie', name: string): SourceAuth => ({
  type: 'apiKey',
  in: place,
  name,
  value: 'v',
});

test.each<[string, SourceAuth, SecurityScheme[], unknown]>([
  ['a token', bearer, [token, key], { schemes: { token: 't0' } }],
  ['a token where the header is described', bearer, [old], { schemes: { old: 'Bearer t0' } }],
  ['a login', basic, [login], { schemes: { login: { username: 'ada', password: 'pw' } } }],
  ['a login where the header is described', basic, [old], { schemes: { old: 'Basic YWRhOnB3' } }],
  ['a key', byKey('query', 'k'), [key, token], { schemes: { key: 'v' } }],
  ['a token that fits none', bearer, [key], { schemes: {}, headers: { Authorization: 'Bearer t0' } }],
  ['a key that fits none', byKey('header', 'X-Custom'), [key], { schemes: {}, headers: { 'X-Custom': 'v' } }],
  ['a key in another query field', byKey('query', 'K'), [key], { schemes: {}, query: { K: 'v' } }],
  ['a cookie that fits none', byKey('cookie', 'sid'), [key], { schemes: {}, cookies: { sid: 'v' } }],
  [
    'a whole header',
    byKey('header', 'Authorization'),
    [token],
    { schemes: {}, headers: { Authorization: 'v' } },
  ],
  ['nothing', { type: 'none' }, [key], { schemes: {} }],
])('%s is stored by scheme names if it fits schemes, else unchanged', (_, auth, security, expected) => {
  expect(schemesOf(auth, security)).toEqual(expected);
});

test('Stored values are sent as before', () => {
  for (const [auth, scheme] of [
    [bearer, old],
    [basic, old],
    [bearer, token],
    [basic, login],
    [byKey('header', 'Authorization'), token],
  ] as const) {
    const needs = [[{ scheme: scheme.name }]];
    const before = composeAuth({ auth, schemes: [scheme] }, needs);
    const after = composeAuth(
      { auth: { type: 'schemes', ...schemesOf(auth, [scheme]) }, schemes: [scheme] },
      needs,
    );
    const sent = ({ type, ...rest }: typeof before) => JSON.stringify([type, rest]).toLowerCase();
    expect(sent(after)).toBe(sent(before));
  }
});
