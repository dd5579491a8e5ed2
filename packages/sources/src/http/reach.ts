import { isLinkLocalAddress, isPublicAddress, literalAddress } from './address.ts';

/*
 * How far a request may go. `public` is the internet. `private` is this machine and its networks too, but never its link, where clouds keep
 * the credentials of a machine: whoever may reach a service on a private network seldom means that. `link` is for a single address that a
 * person has typed and has allowed private networks for; it is never reached by a name, a redirect or a document.
 *
 * That a person types an address says that they mean it only where the address itself says what it is: which address a name leads to is
 * for others to decide.
 */
export type Reach = 'public' | 'private' | 'link';

export function isWithin(reach: Reach, address: string): boolean {
  if (isPublicAddress(address)) return true;
  return reach === 'link' || (reach === 'private' && !isLinkLocalAddress(address));
}

/** Whether a URL itself says that it is of this machine or a private network. Names but `localhost` do not, and a link is not enough. */
export async function isPrivateUrl(url: string): Promise<boolean> {
  const hostname = new URL(url).hostname.replace(/\.$/, '');
  if (/^(.+\.)?localhost$/.test(hostname)) return true;
  const literal = literalAddress(hostname);
  return literal !== undefined && !isPublicAddress(literal) && !isLinkLocalAddress(literal);
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
