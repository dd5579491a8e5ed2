import { isLinkLocalAddress, isPublicAddress, literalAddress } from './address.ts';

interface Typed {
  url?: unknown;
  baseUrl?: unknown;
}

/**
 * Whether a source may reach private networks by the addresses that a person typed or approved: where one of them is this machine or a
 * private address itself. What a document says decides nothing.
 */
export function isPrivateByTyping({ url, baseUrl }: Typed): boolean {
  return [url, baseUrl].some((typed) => typeof typed === 'string' && meansPrivateNetwork(typed));
}

/**
 * Whether a URL itself says that it is of this machine or a private network. A name says nothing, since whoever owns it decides where it
 * leads; nor is it enough to type an address of the link, where clouds keep the credentials of a machine: that takes `allowPrivateNetwork`.
 */
export function meansPrivateNetwork(url: string): boolean {
  if (isLoopback(url)) return true;
  const literal = literalOf(url);
  return literal !== undefined && !isPublicAddress(literal) && !isLinkLocalAddress(literal);
}

/** A document that a person hands over may name this very machine, as those of local servers do. */
export function isLoopback(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostOf(url));
}

function literalOf(url: string): string | undefined {
  return URL.canParse(url) ? literalAddress(hostOf(url)) : undefined;
}

/** A dot at the end says only that the name is whole. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
