import type { HttpRequest, SendOptions } from './http-client.ts';
import { withQuery } from './query-credentials.ts';
import { UnreachableError } from './unreachable-error.ts';

const redirects = new Set([301, 302, 303, 307, 308]);

/** Headers that a redirect may carry to another origin. Any other header may be a secret. */
const harmlessHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
]);

/** A request with the values that belong to its origin or host only. */
export interface Hop extends Pick<SendOptions, 'credentials' | 'serverCa'> {
  request: HttpRequest;
}

/**
 * The request after a redirect; undefined if the response is not a redirect to follow. Never from https to http.
 *
 * A write was approved, or allowed by rules, for one address. A server that redirects it elsewhere could turn it into another write, even
 * within its origin. So a write is sent again only if the status says that it was not performed (307, 308), and only to the same address
 * with or without a trailing slash, which many frameworks ask for.
 */
export function nextHop(
  { request, ...forOrigin }: Hop,
  response: { status: number; location: string | undefined },
  mode: SendOptions['redirects'],
): Hop | undefined {
  const { status, location } = response;
  if (!redirects.has(status) || location === undefined) return undefined;
  const from = new URL(request.url);
  const to = parse(location, from);
  if (to === undefined) return undefined;
  if (mode === 'write') {
    const isSame = status >= 307 && differsBySlash(to, from, forOrigin.credentials?.query);
    // Only the path is taken, because a location may repeat credentials in its query.
    return isSame ? { request: { ...request, url: withPath(from, to.pathname) }, ...forOrigin } : undefined;
  }
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new UnreachableError(
      'insecureRedirect',
      `${from.host} redirects from https to ${to.origin}, which is not encrypted. Executor does not follow it. Use an https URL.`,
    );
  }
  const next = requestAfter(request, to.href, status);
  if (to.origin === from.origin) return { request: next, ...forOrigin };
  const isSameHost = to.hostname === from.hostname;
  return {
    request: { ...next, headers: harmless(next.headers) },
    // A CA that is trusted for a host is trusted on every port.
    ...(isSameHost && { serverCa: forOrigin.serverCa }),
  };
}

function parse(location: string, base: URL): URL | undefined {
  const url = URL.canParse(location, base) ? new URL(location, base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

function differsBySlash(to: URL, from: URL, credentials: Record<string, string> | undefined): boolean {
  const withoutSlash = ({ pathname }: URL) => pathname.replace(/\/$/, '');
  return (
    to.origin === from.origin &&
    withoutSlash(to) === withoutSlash(from) &&
    [from.search, withQuery(from.search, credentials)].includes(to.search)
  );
}

function withPath(url: URL, pathname: string): string {
  const changed = new URL(url);
  changed.pathname = pathname;
  return changed.href;
}

/** As in browsers: 303 becomes a GET, and so do 301 and 302 after a POST. */
function requestAfter(request: HttpRequest, url: string, status: number): HttpRequest {
  const { method } = request;
  const keepsMethod =
    method === 'GET' || method === 'HEAD' || status > 303 || (status < 303 && method !== 'POST');
  if (keepsMethod) return { ...request, url };
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !name.toLowerCase().startsWith('content-')),
  );
  return { method: 'GET', url, headers };
}

function harmless(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => harmlessHeaders.has(name.toLowerCase())),
  );
}
