import { isLinkLocalAddress, isPublicAddress, literalAddress } from './address.ts';

/**
 * Whether the host of a URL is `localhost` or a literal address of this machine or a private network. Other names are not: their owners
 * decide where they lead. Link-local addresses are not either, because clouds serve the credentials of a machine there.
 */
export function meansPrivateNetwork(url: string): boolean {
  if (isLoopback(url)) return true;
  const literal = literalOf(url);
  return literal !== undefined && !isPublicAddress(literal) && !isLinkLocalAddress(literal);
}

/** Whether the host of a URL is `localhost` or a loopback address. */
export function isLoopback(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostOf(url));
}

function literalOf(url: string): string | undefined {
  return URL.canParse(url) ? literalAddress(hostOf(url)) : undefined;
}

/** The host name without the trailing dot of a fully qualified name. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
