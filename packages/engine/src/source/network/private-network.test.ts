import { expect, test } from 'vitest';
import { isLoopback, meansPrivateNetwork } from './private-network.ts';

test.each([
  ['http://localhost:3000/openapi.json', true, true],
  ['http://LOCALHOST./', true, true],
  ['http://api.localhost/', true, true],
  ['http://[::1]/', true, true],
  ['http://127.0.0.1/', true, true],
  ['http://127.1/', true, true],
  ['http://0.0.0.0:80/', true, false],
  ['http://10.0.0.7/', true, false],
  ['http://172.16.3.4/', true, false],
  ['http://192.168.0.1/', true, false],
  ['http://100.64.0.1/', true, false],
  ['http://[fd12::1]/', true, false],
  ['http://[::ffff:10.0.0.7]/', true, false],
  ['http://8.8.8.8/', false, false],
  ['http://172.32.0.1/', false, false],
  ['http://[2606:4700::1]/', false, false],
  // The owner of a name decides where it leads.
  ['https://a.example/', false, false],
  ['https://notlocalhost/', false, false],
  ['https://localhost.example/', false, false],
  ['http://127.0.0.1.example/', false, false],
  ['http://metadata.google.internal./', false, false],
  // Clouds serve the credentials of a machine at these addresses.
  ['http://169.254.169.254/', false, false],
  ['http://2852039166/', false, false],
  ['http://[::ffff:169.254.169.254]/', false, false],
  ['http://[fe80::1]/', false, false],
  ['http://[fd00:ec2::254]/', false, false],
  ['http://100.100.100.200/', false, false],
  ['http://192.0.0.192/', false, false],
  ['http://168.63.129.16/', false, false],
  ['http://[fd20:ce::254]/', false, false],
  ['nonsense', false, false],
])('%s is on a private network or this machine: %s, on this machine: %s', (url, network, machine) => {
  expect([meansPrivateNetwork(url), isLoopback(url)]).toEqual([network, machine]);
});
