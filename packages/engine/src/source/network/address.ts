import { BlockList, isIP, isIPv6 } from 'node:net';

/*
 * Which addresses are of the public internet. Everything else is this machine, a private network, or nowhere: `0.0.0.0` reaches this
 * machine on most systems, and 169.254.169.254 is where clouds keep a machine's credentials.
 */

const notPublicV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
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
 * Where a machine finds what is only for itself: its link, with the metadata of most clouds, and the places that others have for that.
 * No service that somebody runs on a private network is there.
 */
const ofMachineV4 = blockList('ipv4', [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['192.0.0.192', 32],
]);
const ofMachineV6 = blockList('ipv6', [
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
]);

const loopbackV4 = blockList('ipv4', [['127.0.0.0', 8]]);

const publicV6 = blockList('ipv6', [['2000::', 3]]);

/** Within the above: protocol assignments (Teredo, benchmarking, ORCHID), documentation, and tunnels to any IPv4 address. */
const notPublicV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** The first words of IPv6 addresses whose last two are an IPv4 address: mapped, and translated by NAT64. */
const v4Carriers = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/** What is no IP address is not public either. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  switch (isIP(bare)) {
    case 4:
      return !notPublicV4.check(bare, 'ipv4');
    case 6: {
      const carried = carriedV4(bare);
      if (carried !== undefined) return isPublicAddress(carried);
      return publicV6.check(bare, 'ipv6') && !notPublicV6.check(bare, 'ipv6');
    }
    default:
      return false;
  }
}

/** Whether an address is of this very machine, and can be no other's. */
export function isLoopbackAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) === 4) return loopbackV4.check(bare, 'ipv4');
  if (isIP(bare) !== 6) return false;
  const carried = carriedV4(bare);
  return carried === undefined ? canonical(bare) === '::1' : isLoopbackAddress(carried);
}

/** Whether an address is of the link, or where a cloud keeps the credentials of a machine. */
export function isLinkLocalAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  if (isIP(bare) === 4) return ofMachineV4.check(bare, 'ipv4');
  if (isIP(bare) !== 6) return false;
  const carried = carriedV4(bare);
  return carried === undefined ? ofMachineV6.check(bare, 'ipv6') : isLinkLocalAddress(carried);
}

/** The address that the host of a URL spells out, if it does; `[::1]` is `::1`. */
export function literalAddress(host: string): string | undefined {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  return isIP(bare) === 0 ? undefined : bare;
}

function carriedV4(address: string): string | undefined {
  const words = wordsOf(address);
  const first = words.slice(0, 6).map((word) => word.toString(16));
  if (!v4Carriers.includes(first.join(':'))) return undefined;
  return words
    .slice(6)
    .flatMap((word) => [word >> 8, word & 0xff])
    .join('.');
}

function wordsOf(address: string): number[] {
  const [before = [], after = []] = canonical(address)
    .split('::')
    .map((side) => (side === '' ? [] : side.split(':').map((word) => Number.parseInt(word, 16))));
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

/** Without a dotted tail, so that every part of it is a word. */
function canonical(address: string): string {
  if (!isIPv6(address)) throw new RangeError(`${address} is no IPv6 address.`);
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function blockList(family: 'ipv4' | 'ipv6', nets: [network: string, prefix: number][]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of nets) list.addSubnet(network, prefix, family);
  return list;
}
