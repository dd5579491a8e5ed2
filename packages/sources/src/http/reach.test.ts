import { expect, test } from 'vitest';
import { isWithin, linkLocalOf } from './reach.ts';

test.each([
  ['8.8.8.8', ['public', 'machine', 'private', 'link']],
  ['10.0.0.1', ['private', 'link']],
  ['127.0.0.1', ['machine', 'private', 'link']],
  ['127.8.9.10', ['machine', 'private', 'link']],
  ['::1', ['machine', 'private', 'link']],
  ['::ffff:127.0.0.1', ['machine', 'private', 'link']],
  ['::', ['private', 'link']],
  ['0.0.0.0', ['private', 'link']],
  ['::2', ['private', 'link']],
  ['169.254.0.1', ['link']],
  ['fe80::1%eth0', ['link']],
  ['::ffff:a9fe:a9fe', ['link']],
  ['100.100.100.200', ['link']],
  ['168.63.129.16', ['link']],
  ['fd20:ce::254', ['link']],
  ['fd00:ec2::23', ['link']],
])('%s is allowed for %j', (address, expected) => {
  const all = ['public', 'machine', 'private', 'link'] as const;
  expect(all.filter((reach) => isWithin(reach, address))).toEqual(expected);
});

test('only a literal link-local address counts as typed', () => {
  expect(linkLocalOf([undefined, 'http://a.example', 'http://169.254.1.5:80/x'])).toBe('169.254.1.5');
  expect(linkLocalOf(['http://10.0.0.1', 'nonsense'])).toBeUndefined();
});
