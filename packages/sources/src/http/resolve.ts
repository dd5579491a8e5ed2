import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isWithin, type Reach } from './reach.ts';
import { refusedAddress } from './unreachable-error.ts';

interface ResolvedAddress {
  address: string;
  family: number;
}

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Resolves names for connections. A name with even one forbidden address is refused, so that the outcome does not depend on which
 * address is tried.
 */
export function lookupFor(resolve: Resolve, reach: Reach): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const refused = addresses.find(({ address }) => !isWithin(reach, address));
        if (refused) return callback(refusedAddress(hostname, refused.address), []);
        const [first] = addresses;
        if (first === undefined) return callback(notFound(hostname), []);
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function notFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
}
