import { expect, test } from 'vitest';
import { nextHop } from './redirect.ts';

/** Where an approved write must not be led. */
const url = 'https://api.example/v1/things?owner=ada';
const follow = (location: string) =>
  [307, 308].map((status) => {
    const sent = { request: { method: 'POST', url, headers: {}, body: 'b' }, credentials: {} };
    return nextHop(sent, { status, location }, 'write')?.request.url;
  });

test.each([
  ['another path', '/v1/everything?owner=ada'],
  ['a parent', '/v1/?owner=ada'],
  ['a child', '/v1/things/all?owner=ada'],
  ['two slashes', '/v1/things//?owner=ada'],
  ['another spelling of the path', '/v1/thing%73?owner=ada'],
  ['another query', '/v1/things?owner=eve'],
  ['an added query', '/v1/things/?owner=ada&force=true'],
  ['a removed query', '/v1/things/'],
  ['another scheme', 'http://api.example/v1/things/?owner=ada'],
  ['another port', 'https://api.example:444/v1/things/?owner=ada'],
  ['another host', 'https://www.api.example/v1/things/?owner=ada'],
])('A write with status 307 or 308 is not followed to %s', (_, location) => {
  expect(follow(location)).toEqual([undefined, undefined]);
});
