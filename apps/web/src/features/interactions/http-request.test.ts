import { expect, test } from 'vitest';
import { asHttpRequest, isShortened } from './http-request.ts';

test('An HTTP request is split into parts, and no field is dropped', () => {
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
    others: { via: 'x' },
  });
});

test('The description of a long body differs from a body with the same fields', () => {
  const body = { bytes: 60_011, mediaType: 'application/json', sha256: 'ab12' };
  const request = { method: 'POST', url: 'https://a.test/', body };
  const shared = { method: 'POST', url: 'https://a.test/', headers: [], others: {} };
  expect(asHttpRequest({ ...request, shortened: true })).toEqual({ ...shared, bodyNote: body });
  expect(asHttpRequest(request)).toEqual({ ...shared, body });
  const parts = { parts: [{ name: 'a', value: body }] };
  expect(asHttpRequest({ ...request, body: parts, shortened: true })).toEqual({ ...shared, body: parts });
  expect([{ ...request, shortened: true }, request, null, 'shortened'].map(isShortened)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('Headers in an unknown format are shown as JSON', () => {
  const request = { method: 'GET', url: 'https://a.test/', headers: { accept: ['a', 'b'] } };
  expect(asHttpRequest(request)).toEqual({
    method: 'GET',
    url: 'https://a.test/',
    headers: [],
    others: { headers: { accept: ['a', 'b'] } },
  });
});

test('Other values are not HTTP requests', () => {
  for (const request of [null, 'GET https://a.test', { method: 'GET' }, { method: 1, url: 'x' }, []])
    expect(asHttpRequest(request)).toBeUndefined();
});
