import { BlockList, isIP, isIPv6 } from 'node:net';

/*
 * Which addresses are on the public internet. All others are this machine, a private network, or unassigned. On most systems `0.0.0.0`
 * reaches this machine. Clouds serve the credentials of a machine at 169.254.169.254. 168.63.129.16 looks public, but within Azure it is
 * the machine's host.
 */

const notPublicV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/*
 * Link-local addresses, where most clouds serve the metadata of a machine, and the addresses that other clouds use for it. Services on a
 * private network do not use them.
 */
const linkLocalV4 = blockList('ipv4', [
  ['169.254.0.0', 16],
  // Azure, Alibaba, Oracle
  ['168.63.129.16', 32],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
]);
const linkLocalV6 = blockList('ipv6', [
  ['fe80::', 10],
  // AWS (also EKS), GCP, Oracle, Scaleway
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fd00:c1::', 32],
  ['fd00:42::42', 128],
]);

const loopbackV4 = blockList('ipv4', [['127.0.0.0', 8]]);

const publicV6 = blockList('ipv6', [['2000::', 3]]);

/** Exceptions within 2000::/3: protocol assignments (Teredo, benchmarking, ORCHID), documentation, and tunnels to IPv4 addresses. */
const notPublicV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** Prefixes of IPv6 addresses that end in an IPv4 address: mapped addresses, and NAT64. */
const prefixesOfV4 = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/** False for text that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  switch (isIP(bare)) {
    case 4:
      return !notPublicV4.check(bare, 'ipv4');
    case 6: {
      const embedded = embeddedV4(bare);
      if (embedded !== undefined) return isPublicAddress(embedded);
      return publicV6.check(bare, 'ipv6') && !notPublicV6.check(bare, 'ipv6');
    }
    default:
      return false;
  }
}

/** Whether an address is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) === 4) return loopbackV4.check(bare, 'ipv4');
  if (isIP(bare) !== 6) return false;
  const embedded = embeddedV4(bare);
  return embedded === undefined ? canonical(bare) === '::1' : isLoopbackAddress(embedded);
}

/** Whether an address is link-local, or one where a cloud serves the credentials of a machine. */
export function isLinkLocalAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) === 4) return linkLocalV4.check(bare, 'ipv4');
  if (isIP(bare) !== 6) return false;
  return linkLocalV6.check(bare, 'ipv6') || tunnelledV4(bare).some(isLinkLocalAddress);
}

/** The IP address in the host of a URL, if it is one; `[::1]` is `::1`. */
export function literalAddress(host: string): string | undefined {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? undefined : bare;
}

function embeddedV4(address: string): string | undefined {
  const words = wordsOf(address);
  return prefixesOfV4.includes(hex(words.slice(0, 6))) ? dotted(words.slice(6)) : undefined;
}

/**
 * The IPv4 addresses that a network may translate an IPv6 address to. A local network chooses its own translation (NAT64), so the last 32
 * bits count for any prefix that a translation uses. In 6to4, the address follows the prefix.
 */
function tunnelledV4(address: string): string[] {
  const words = wordsOf(address);
  const isTranslated = /^(0:0:0:0:0:0|0:0:0:0:0:ffff|0:0:0:0:ffff:0|64:ff9b:.*)$/.test(
    hex(words.slice(0, 6)),
  );
  const isSixToFour = words[0] === 0x2002;
  return [
    ...(isTranslated ? [dotted(words.slice(6))] : []),
    ...(isSixToFour ? [dotted(words.slice(1, 3))] : []),
  ];
}

function hex(words: number[]): string {
  return words.map((word) => word.toString(16)).join(':');
}

function dotted(words: number[]): string {
  return words.flatMap((word) => [word >> 8, word & 0xff]).join('.');
}

function wordsOf(address: string): number[] {
  const [before = [], after = []] = canonical(address)
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':').map((word) => Number.parseInt(word, 16))));
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

/** The address without a dotted IPv4 part, so that every part is a 16-bit word. */
function canonical(address: string): string {
  if (!isIPv6(address)) throw new RangeError(`${address} is not an IPv6 address.`);
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function blockList(family: 'ipv4' | 'ipv6', nets: [network: string, prefix: number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of nets) list.addSubnet(network, prefix, family);
  return list;
}
