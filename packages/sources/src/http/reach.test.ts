import { expect, test } from 'vitest';
import { isPrivateUrl, isWithin, linkLocalOf } from './reach.ts';

test.each([
  ['http://localhost:3000/openapi.json', true],
  ['http://LOCALHOST./', true],
  ['http://api.localhost/', true],
  ['http://[::1]/', true],
  ['http://127.0.0.1/', true],
  ['http://10.0.0.7/', true],
  ['http://[fd12::1]/', true],
  ['http://8.8.8.8/', false],
  // Who answers for a name decides where it leads.
  ['https://a.example/', false],
  ['https://notlocalhost/', false],
  ['https://localhost.example/', false],
  // Typing it is not enough.
  ['http://169.254.169.254/', false],
  ['http://2852039166/', false],
  ['http://[::ffff:169.254.169.254]/', false],
  ['http://[fe80::1]/', false],
  ['http://[fd00:ec2::254]/', false],
  ['http://metadata.google.internal./', false],
])('whoever types %s means a private network: %s', async (url, expected) => {
  expect(await isPrivateUrl(url)).toBe(expected);
});

test.each([
  ['8.8.8.8', ['public', 'private', 'link']],
  ['10.0.0.1', ['private', 'link']],
  ['127.0.0.1', ['private', 'link']],
  ['169.254.0.1', ['link']],
  ['fe80::1%eth0', ['link']],
  ['::ffff:a9fe:a9fe', ['link']],
  ['100.100.100.200', ['link']],
])('%s is within %j', (address, expected) => {
  expect((['public', 'private', 'link'] as const).filter((reach) => isWithin(reach, address))).toEqual(
    expected,
  );
});

test('the address of the link that was typed is the one that was spelled out', () => {
  expect(linkLocalOf([undefined, 'http://a.example', 'http://169.254.1.5:80/x'])).toBe('169.254.1.5');
  expect(linkLocalOf(['http://10.0.0.1', 'nonsense'])).toBeUndefined();
});
