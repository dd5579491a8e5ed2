import { expect, test } from 'vitest';
import { isLinkLocalAddress, isPublicAddress, literalAddress } from './address.ts';

const notPublic: Record<string, string[]> = {
  'this machine': ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::1', '::'],
  'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1'],
  'networks of carriers': ['100.64.0.1', '100.127.255.255'],
  'this link, and the metadata of clouds': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'reserved ones': ['240.0.0.1', '255.255.255.255', '192.0.0.8', '192.88.99.1', '4000::1', '100::1'],
  'IPv4 in IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::',
    '2002:808:808::',
    '2001:0:4136:e378::1',
  ],
  'no addresses': ['', 'localhost', '1.2.3', '1.2.3.4.5', '::1::'],
};

const isPublic = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '169.253.0.1',
  '198.17.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:80f::200e',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
];

for (const [kind, addresses] of Object.entries(notPublic)) {
  test.each(addresses)(`%j is not public: ${kind}`, (address) =>
    expect(isPublicAddress(address)).toBe(false),
  );
}

test.each(isPublic)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

test.each([
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::]/',
  'http://0/',
  'http://１２７.0.0.1/',
  'http://127.0.0.1./',
])('%s contains an address that is not public', (url) => {
  const address = literalAddress(new URL(url).hostname);
  expect(address).toBeDefined();
  expect(isPublicAddress(address ?? '')).toBe(false);
});

test('A host name contains no address', () => {
  expect(literalAddress('example.com')).toBeUndefined();
  expect(literalAddress('127.0.0.1.nip.io')).toBeUndefined();
});

test.each(['168.63.129.15', '168.63.129.17', '8.8.8.8'])('%s is an ordinary public address', (address) => {
  expect([isPublicAddress(address), isLinkLocalAddress(address)]).toEqual([true, false]);
});

test.each(['10.0.0.1', '::1', 'fd00:ec3::1', '64:ff9b:1::a00:1', '2002:a00:1::1'])(
  '%s is not a metadata address',
  (address) => expect(isLinkLocalAddress(address)).toBe(false),
);
