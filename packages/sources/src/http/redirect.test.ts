import { expect, test } from 'vitest';
import { nextHop } from './redirect.ts';

const hop = (url: string, method = 'GET') => ({
  request: { method, url, headers: { 'Content-Type': 'a/b', 'X-Key': 'k', Accept: '*/*' }, body: 'b' },
  credentials: { headers: { authorization: 's' } },
});

test('https never leads to http, not even on the same host', () => {
  const answer = { status: 302, location: 'http://api.example/x' };
  expect(() => nextHop(hop('https://api.example/'), answer, 'read')).toThrow(
    'redirects from https to http://api.example',
  );
});

test('http may lead to https, which is another origin', () => {
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

test('whom to trust goes along within a host, and no further', () => {
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

test('a POST that is shown elsewhere becomes a GET without a body', () => {
  const next = nextHop(hop('https://api.example/a', 'POST'), { status: 303, location: 'b#c' }, 'read');
  expect(next?.request).toEqual({
    method: 'GET',
    url: 'https://api.example/b',
    headers: { 'X-Key': 'k', Accept: '*/*' },
  });
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://[', ''])(
  '%j is followed nowhere it should not',
  (location) => {
    const next = nextHop(hop('https://api.example/a'), { status: 302, location }, 'read');
    expect(next?.request.url).toBe(location === '' ? 'https://api.example/a' : undefined);
  },
);

test('a name and password in where it leads are dropped', () => {
  const next = nextHop(
    hop('https://api.example/a'),
    { status: 302, location: 'https://u:p@api.example/b' },
    'read',
  );
  expect(next?.request.url).toBe('https://api.example/b');
});
