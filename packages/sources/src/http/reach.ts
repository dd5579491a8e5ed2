import { isLinkLocalAddress, isPublicAddress, literalAddress } from '@executor/engine';

/*
 * How far a request may go. `public` is the internet. `private` is this machine and its networks too, but never its link, where clouds keep
 * the credentials of a machine: whoever may reach a service on a private network seldom means that. `link` is for a single address that a
 * person has typed and has allowed private networks for; it is never reached by a name, a redirect or a document.
 */
export type Reach = 'public' | 'private' | 'link';

export function isWithin(reach: Reach, address: string): boolean {
  if (isPublicAddress(address)) return true;
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
