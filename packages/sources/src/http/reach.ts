import {
  isLinkLocalAddress,
  isLoopbackAddress,
  isPublicAddress,
  literalAddress,
  meansPrivateNetwork,
} from '@executor/engine';

/**
 * The addresses that a request may reach:
 *
 * - `public`: the internet.
 * - `machine`: also this machine, but none of its networks.
 * - `private`: also this machine's networks, but no link-local address, where clouds serve the credentials of a machine.
 * - `link`: also link-local addresses. Only for the single address that a user typed and allowed private networks for. A name, a
 *   redirect or a document never reaches a link-local address.
 */
export type Reach = 'public' | 'machine' | 'private' | 'link';

/** The network reach that a user allowed. */
export interface Network {
  /** Whether requests may reach this machine and private networks. Link-local addresses are excluded. */
  allowPrivateNetwork: boolean;
  /** Whether requests may reach this machine, if private networks are not allowed. */
  allowThisMachine?: boolean;
  /** The one link-local address that requests may reach: a user typed it and allowed private networks. */
  linkLocal?: string | undefined;
}

/** A link-local address is allowed only if the URL contains exactly the address that the user typed, so no name is resolved. */
export function reachOf(url: string, { allowPrivateNetwork, allowThisMachine, linkLocal }: Network): Reach {
  if (!allowPrivateNetwork) return allowThisMachine ? 'machine' : 'public';
  const isTyped = linkLocal !== undefined && literalAddress(new URL(url).hostname) === linkLocal;
  return isTyped ? 'link' : 'private';
}

/** The address because of which a URL is refused, if that is known without resolving a name. */
export function refusedByReach(url: string, network: Network): { host: string; address: string } | undefined {
  const { hostname } = new URL(url);
  const literal = literalAddress(hostname);
  const address = literal ?? (meansPrivateNetwork(url) ? '127.0.0.1' : undefined);
  if (address === undefined || isWithin(reachOf(url, network), address)) return undefined;
  return { host: literal ?? hostname, address };
}

export function isWithin(reach: Reach, address: string): boolean {
  if (isPublicAddress(address)) return true;
  if (reach === 'machine') return isLoopbackAddress(address);
  return reach === 'link' || (reach === 'private' && !isLinkLocalAddress(address));
}

/** The first link-local address among the URLs that a user typed. */
export function linkLocalOf(urls: (string | undefined)[]): string | undefined {
  for (const url of urls) {
    if (url === undefined || !URL.canParse(url)) continue;
    const literal = literalAddress(new URL(url).hostname);
    if (literal !== undefined && isLinkLocalAddress(literal)) return literal;
  }
  return undefined;
}
