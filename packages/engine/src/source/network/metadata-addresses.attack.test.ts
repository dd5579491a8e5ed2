import { expect, test } from 'vitest';
import { isLinkLocalAddress, isPublicAddress } from './address.ts';

/** Where clouds serve the credentials of a machine. Permission for private networks does not open these addresses. */
test.each([
  ['AWS, GCP and Azure', '169.254.169.254'],
  ['AWS over IPv6', 'fd00:ec2::254'],
  ['ECS', '169.254.170.2'],
  ['EKS', '169.254.170.23'],
  ['EKS over IPv6', 'fd00:ec2::23'],
  ['GCP over IPv6', 'fd20:ce::254'],
  ["Azure's host agent, a public address", '168.63.129.16'],
  ['Alibaba', '100.100.100.200'],
  ['Oracle', '192.0.0.192'],
  ['Oracle over IPv6', 'fd00:c1::a9fe:a9fe'],
  ['Scaleway over IPv6', 'fd00:42::42'],
  ['a mapped address', '::ffff:168.63.129.16'],
  ['a mapped address in hex', '::ffff:a83f:8110'],
  ['a compatible address', '::169.254.169.254'],
  ['a translated address', '::ffff:0:169.254.169.254'],
  ['NAT64', '64:ff9b::a83f:8110'],
  ['NAT64 with a local prefix', '64:ff9b:1::a9fe:a9fe'],
  ['6to4', '2002:a9fe:a9fe::1'],
])('%s: %s is neither public nor an ordinary private address', (_, address) => {
  expect([isPublicAddress(address), isLinkLocalAddress(address)]).toEqual([false, true]);
});
