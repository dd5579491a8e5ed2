import { BlockList, isIP } from 'node:net';

interface Typed {
  url?: unknown;
  baseUrl?: unknown;
}

/**
 * Whether a source may reach private networks by the addresses that a person typed or approved: where one of them is this machine or a
 * private address itself. A name says nothing, since whoever owns it decides where it leads; nor does what a document says.
 */
export function isPrivateByTyping({ url, baseUrl }: Typed): boolean {
  return [url, baseUrl].some((typed) => typeof typed === 'string' && isPrivate(typed));
}

/** A document that a person hands over may name this very machine, as those of local servers do. */
export function isLoopback(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** Without the link-local ones, where clouds keep the credentials of a machine: those take `allowPrivateNetwork`. */
const privateAddresses = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateAddresses.addSubnet(network, bits, 'ipv4');
privateAddresses.addAddress('0.0.0.0', 'ipv4');
privateAddresses.addAddress('::1', 'ipv6');
privateAddresses.addSubnet('fc00::', 7, 'ipv6');

const metadataAddress = 'fd00:ec2::254';

function isPrivate(url: string): boolean {
  if (isLoopback(url)) return true;
  if (!URL.canParse(url)) return false;
  const address = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  if (family === 0 || address === metadataAddress) return false;
  return privateAddresses.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
