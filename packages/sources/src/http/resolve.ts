import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress, literalAddress } from './address.ts';
import { privateAddress, toUnreachable } from './unreachable-error.ts';

interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Looks names up for connections. Where only the public internet may be reached, a name that has a single other address is refused as a
 * whole: which of its addresses is tried is nothing that should decide.
 */
export function lookupFor(resolve: Resolve, allowPrivateNetwork: boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const refused = allowPrivateNetwork
          ? undefined
          : addresses.find(({ address }) => !isPublicAddress(address));
        if (refused) return callback(privateAddress(hostname, refused.address), []);
        const [first] = addresses;
        if (first === undefined) return callback(notFound(hostname), []);
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** Whether an address of a URL's host is not of the public internet. Throws an `UnreachableError` where the name leads nowhere. */
export async function isPrivateUrl(url: string, resolve: Resolve = systemResolve): Promise<boolean> {
  const { hostname } = new URL(url);
  const literal = literalAddress(hostname);
  if (literal !== undefined) return !isPublicAddress(literal);
  try {
    const addresses = await resolve(hostname);
    return addresses.some(({ address }) => !isPublicAddress(address));
  } catch (error) {
    throw toUnreachable(error, hostname);
  }
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
