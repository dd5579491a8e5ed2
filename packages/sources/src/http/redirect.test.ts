import { describe, expect, test } from 'vitest';
import { nextHop } from './redirect.ts';

const hop = (url: string, method = 'GET') => ({
  request: { method, url, headers: { 'Content-Type': 'a/b', 'X-Key': 'k', Accept: '*/*' }, body: 'b' },
  credentials: { headers: { authorization: 's' } },
});

test('redirects from https to http are refused, even on the same host', () => {
  const answer = { status: 302, location: 'http://api.example/x' };
  expect(() => nextHop(hop('https://api.example/'), answer, 'read')).toThrow(
    'redirects from https to http://api.example',
  );
});

test('redirects from http to https are followed as to another origin', () => {
  expect(
    nextHop(hop('http://api.example/'), { status: 308, location: 'https://api.example/x' }, 'read'),
  ).toEqual({
    request: {
      method: 'GET',
      url: 'https://api.example/x',
      headers: { 'Content-Type': 'a/b', Accept: '*/*' },
      body: 'b',
    },
    credentials: undefined,
  });
});

test('the trusted CA is kept within a host and dropped for another one', () => {
  const from = { ...hop('http://api.example/'), serverCa: 'ca' };
  const to = (location: string) => nextHop(from, { status: 308, location }, 'read');
  expect(to('https://api.example/x')).toMatchObject({ serverCa: 'ca' });
  expect(to('https://api.example/x')).not.toHaveProperty('credentials');
  expect(to('https://www.api.example/x')).not.toHaveProperty('serverCa');
});

test('another port is another origin', () => {
  const next = nextHop(
    hop('http://api.example/'),
    { status: 302, location: 'http://api.example:81/' },
    'read',
  );
  expect(next?.credentials).toBeUndefined();
});

test('a POST becomes a GET without a body after 303', () => {
  const next = nextHop(hop('https://api.example/a', 'POST'), { status: 303, location: 'b#c' }, 'read');
  expect(next?.request).toEqual({
    method: 'GET',
    url: 'https://api.example/b',
    headers: { 'X-Key': 'k', Accept: '*/*' },
  });
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://[', ''])(
  'the location %j is not followed to another URL',
  (location) => {
    const next = nextHop(hop('https://api.example/a'), { status: 302, location }, 'read');
    expect(next?.request.url).toBe(location === '' ? 'https://api.example/a' : undefined);
  },
);

test('user name and password of a location are dropped', () => {
  const next = nextHop(
    hop('https://api.example/a'),
    { status: 302, location: 'https://u:p@api.example/b' },
    'read',
  );
  expect(next?.request.url).toBe('https://api.example/b');
});

describe('a write with status 307 or 308', () => {
  const from = 'https://api.example/v1/things?owner=ada';
  const follow = (location: string, url = from, query?: Record<string, string>) =>
    [307, 308].map((status) => {
      const sent = { ...hop(url, 'POST'), credentials: { ...(query && { query }) } };
      return nextHop(sent, { status, location }, 'write')?.request.url;
    });

  test.each([
    ['adds a slash', '/v1/things/?owner=ada', 'https://api.example/v1/things/?owner=ada'],
    ['names itself', from, from],
  ])('is followed if the location %s', (_, location, url) => {
    expect(follow(location)).toEqual([url, url]);
  });

  test('is followed if the location removes a slash', () => {
    const url = 'https://api.example/v1/things';
    expect(follow('/v1/things', `${url}/`)).toEqual([url, url]);
  });

  test('is followed without the credentials that the location repeats', () => {
    const url = 'https://api.example/v1/things/?owner=ada';
    const location = '/v1/things/?owner=ada&key=k%20y';
    expect(follow(location, from, { key: 'k y' })).toEqual([url, url]);
    expect(follow(location)).toEqual([undefined, undefined]);
  });
});
