import {
  isLinkLocalAddress,
  isLoopbackAddress,
  isPublicAddress,
  literalAddress,
  meansPrivateNetwork,
} from '@executor/engine';

/*
 * How far a request may go. `public` is the internet. `machine` is this machine too, but no network of it. `private` is this machine and its networks too, but never its link, where clouds keep
 * the credentials of a machine: whoever may reach a service on a private network seldom means that. `link` is for a single address that a
 * person has typed and has allowed private networks for; it is never reached by a name, a redirect or a document.
 */
export type Reach = 'public' | 'machine' | 'private' | 'link';

/** What a person has allowed. */
export interface Network {
  /** Whether this machine and private networks may be reached; but not its link, where clouds keep its credentials. */
  allowPrivateNetwork: boolean;
  /** Where they may not: whether this machine may, but none of its networks. */
  allowThisMachine?: boolean;
  /** The one address of the link that may be reached, where a person typed it and allowed private networks. */
  linkLocal?: string | undefined;
}

/** The link is reached where the address itself is the one that was typed; nothing is looked up then. */
export function reachOf(url: string, { allowPrivateNetwork, allowThisMachine, linkLocal }: Network): Reach {
  if (!allowPrivateNetwork) return allowThisMachine ? 'machine' : 'public';
  const isTyped = linkLocal !== undefined && literalAddress(new URL(url).hostname) === linkLocal;
  return isTyped ? 'link' : 'private';
}

/** The address that keeps a URL from being reached, where that is known without looking anything up. */
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

/** The address of the link among those that a person typed, if they spelled one out. */
export function linkLocalOf(typed: (string | undefined)[]): string | undefined {
  for (const url of typed) {
    if (url === undefined || !URL.canParse(url)) continue;
    const literal = literalAddress(new URL(url).hostname);
    if (literal !== undefined && isLinkLocalAddress(literal)) return literal;
  }
  return undefined;
}
