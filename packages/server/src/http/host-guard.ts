import { isIP } from 'node:net';
import { ExecutorError } from '@executor/protocol';

/**
 * Which requests may be heard at all, before anyone asks who they are from. Every page in the user's browser can reach this port, so:
 *
 * - `Host` must be a name of this server. A DNS-rebinding page reaches us under its own name and is refused here.
 * - `Origin`, which browsers send with everything but plain navigation and same-origin reads, must be the very origin that was
 *   addressed: a page of another site, or of another port of this machine, is refused.
 * - Where there is no `Origin`, `Sec-Fetch-Site` tells the same; only a navigation to a page may come from elsewhere (a link).
 *
 * Programs that are not browsers send neither of the last two.
 */
export interface RequestOrigin {
  host: string | undefined;
  /** The host of the request's target, which need not be that of the header where the target is a whole URL. */
  target: string;
  origin: string | undefined;
  fetchSite: string | undefined;
  isNavigation: boolean;
  /** The address that the connection came in at. */
  localAddress: string | undefined;
}

export function guardOrigin(request: RequestOrigin, names: ReadonlySet<string>): void {
  const { host, target, origin, fetchSite, isNavigation, localAddress } = request;
  if (host === undefined || !isOurName(hostnameOf(host), names, localAddress)) throw misdirected(host, names);
  if (target !== new URL(`http://${host}`).host) throw misdirected(target, names);
  if (origin !== undefined && hostOfOrigin(origin) !== host.toLowerCase()) {
    throw new ExecutorError(
      'forbidden',
      `Requests from pages of ${origin} are not taken; only this server's own pages may call it.`,
    );
  }
  const elsewhere = fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
  if (elsewhere && !isNavigation) {
    throw new ExecutorError('forbidden', 'Requests from pages of other sites or ports are not taken.');
  }
}

/** The names by which a server that listens on `host` may be addressed, besides the address that a connection came in at. */
export function serverNames(host: string, allowedHosts: readonly string[]): Set<string> {
  return new Set(
    ['localhost', '127.0.0.1', '[::1]', host, ...allowedHosts].map((name) => name.toLowerCase()),
  );
}

function isOurName(hostname: string, names: ReadonlySet<string>, localAddress: string | undefined): boolean {
  if (names.has(hostname)) return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  // An address, unlike a name, cannot be pointed at us by someone else.
  return isIP(address) !== 0 && localAddress?.replace(/^::ffff:/, '') === address;
}

function hostnameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

function hostOfOrigin(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin)?.[1]?.toLowerCase();
}

function misdirected(host: string | undefined, names: ReadonlySet<string>): ExecutorError {
  const given = host === undefined ? 'without a Host header' : `as "${host}"`;
  return new ExecutorError(
    'misdirectedRequest',
    `This server was addressed ${given}, which is not one of its names (${[...names].join(', ')}). If it should be, run \`executor config set allowedHosts NAME\` and restart.`,
  );
}
