import { expect, test } from 'vitest';
import { asHttpRequest } from './http-request.ts';

test('a request over HTTP is taken apart, and nothing of it is dropped', () => {
  const request = {
    method: 'POST',
    url: 'https://a.test/',
    headers: { accept: '*/*' },
    body: null,
    via: 'x',
  };
  expect(asHttpRequest(request)).toEqual({
    method: 'POST',
    url: 'https://a.test/',
    headers: [['accept', '*/*']],
    body: null,
    rest: { via: 'x' },
  });
});

test('headers of another form are shown as they are', () => {
  const request = { method: 'GET', url: 'https://a.test/', headers: { accept: ['a', 'b'] } };
  expect(asHttpRequest(request)).toEqual({
    method: 'GET',
    url: 'https://a.test/',
    headers: [],
    rest: { headers: { accept: ['a', 'b'] } },
  });
});

test('anything else is none', () => {
  for (const request of [null, 'GET https://a.test', { method: 'GET' }, { method: 1, url: 'x' }, []])
    expect(asHttpRequest(request)).toBeUndefined();
});
