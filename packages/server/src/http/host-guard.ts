import { isIP } from 'node:net';
import { ExecutorError } from '@executor/protocol';

/**
 * Rejects cross-site requests before authentication. Every page in the user's browser can reach this port, so:
 *
 * - `Host` must be a name of this server. This stops DNS rebinding, where a page reaches the server under the page's own name.
 * - `Origin` must be the addressed origin. Browsers send it with everything except navigation and same-origin reads. This stops pages of
 *   other sites and of other ports of this machine.
 * - Without `Origin`, `Sec-Fetch-Site` must be same-origin, except for a navigation to a page (a link).
 *
 * Programs that are not browsers send neither `Origin` nor `Sec-Fetch-Site`.
 */
export interface RequestOrigin {
  host: string | undefined;
  /** The host of the request target. It can differ from the header if the target is an absolute URL. */
  target: string;
  origin: string | undefined;
  fetchSite: string | undefined;
  isNavigation: boolean;
  /** The local address of the connection. */
  localAddress: string | undefined;
}

export function guardOrigin(request: RequestOrigin, names: ReadonlySet<string>): void {
  const { host, target, origin, fetchSite, isNavigation, localAddress } = request;
  if (host === undefined || !isOurName(hostnameOf(host), names, localAddress)) throw misdirected(host, names);
  if (target !== new URL(`http://${host}`).host) throw misdirected(target, names);
  if (origin !== undefined && hostOfOrigin(origin) !== host.toLowerCase()) {
    throw new ExecutorError(
      'forbidden',
      `Requests from pages of ${origin} are not accepted. Only this server's own pages may call it.`,
    );
  }
  const elsewhere = fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none';
  if (elsewhere && !isNavigation) {
    throw new ExecutorError('forbidden', 'Requests from pages of other sites or ports are not accepted.');
  }
}

/** The host names that a server on `host` accepts, besides the local address of a connection. */
export function serverNames(host: string, allowedHosts: readonly string[]): Set<string> {
  return new Set(
    ['localhost', '127.0.0.1', '[::1]', host, ...allowedHosts].map((name) => name.toLowerCase()),
  );
}

function isOurName(hostname: string, names: ReadonlySet<string>, localAddress: string | undefined): boolean {
  if (names.has(hostname)) return true;
  const address = hostname.replace(/^\[|\]$/g, '');
  // Another party can point a name at this server, but not an IP address.
  return isIP(address) !== 0 && localAddress?.replace(/^::ffff:/, '') === address;
}

function hostnameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

function hostOfOrigin(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin)?.[1]?.toLowerCase();
}

function misdirected(host: string | undefined, names: ReadonlySet<string>): ExecutorError {
  const address =
    host === undefined ? 'The request has no Host header' : `"${host}" is not a name of this server`;
  return new ExecutorError(
    'misdirectedRequest',
    `${address}. Its names are ${[...names].join(', ')}. To add one, run \`executor config set allowedHosts NAME\` and restart.`,
  );
}
