import type { AccessProbe, DetectOptions, ProbedAccess, SecurityScheme } from '@executor/engine';
import { ExecutorError } from '@executor/protocol';
import type { HttpClient } from '../http/http-client.ts';
import { UnreachableError } from '../http/unreachable-error.ts';
import { type Challenge, challengesIn } from './challenge.ts';
import { type AuthorizationServer, readResource, readServer } from './metadata.ts';

const maxServers = 2;
const maxMetadataBytes = 256 * 1024;

/**
 * Asks a server for its challenge, and for the metadata of the resource (RFC 9728) and of its authorization servers (RFC 8414). All of it is
 * untrusted: metadata of the resource counts only from its own origin, and private networks only on the host that the user typed.
 */
export function createAccessProbe(http: HttpClient): AccessProbe {
  return { probe: (url, options) => probe(new Asking(http, url, options)) };
}

async function probe(asking: Asking): Promise<ProbedAccess | undefined> {
  const { url } = asking;
  const [challenged, atUsualPaths] = await Promise.all([
    asking.challenge(),
    asking.first(resourceUrls(url), (json) => readResource(json, url)),
  ]);
  const { refused, challenges } = challenged;
  const named = metadataUrl(challenges, url);
  const atNamed = named === undefined ? [] : [named];
  const resource = (await asking.first(atNamed, (json) => readResource(json, url))) ?? atUsualPaths;
  const issuers = (resource?.servers ?? [new URL(url).origin]).slice(0, maxServers);
  const servers = (await Promise.all(issuers.map((issuer) => serverOf(asking, issuer)))).flatMap(
    (server) => server ?? [],
  );
  const flows = servers.map((server) => flowOf(server, resource?.scopes));
  const security = flows.length > 0 ? flows : schemesOf(challenges);
  if (!refused && servers.length === 0) return undefined;
  return { refused, security, authorizationServers: servers.map(({ issuer }) => issuer) };
}

function serverOf(asking: Asking, issuer: string): Promise<AuthorizationServer | undefined> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return asking.first(urls, (json) => readServer(json, issuer));
}

function flowOf(server: AuthorizationServer, scopes = server.scopes): SecurityScheme {
  const { authorizationUrl, tokenUrl } = server;
  const named = Object.fromEntries(scopes.map((scope) => [scope, '']));
  return {
    name: 'oauth',
    type: 'oauth2',
    flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes: named } },
  };
}

/** Executor can send these. */
function schemesOf(challenges: Challenge[]): SecurityScheme[] {
  const schemes = challenges.map(({ scheme }) => scheme).filter((scheme) => /^(bearer|basic)$/.test(scheme));
  return [...new Set(schemes)].map((scheme) => ({ name: scheme, type: 'http', scheme }));
}

function resourceUrls(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  return pathname === '/' ? [wellKnown] : [`${wellKnown}${pathname.replace(/\/$/, '')}`, wellKnown];
}

function metadataUrl(challenges: Challenge[], url: string): string | undefined {
  const named = challenges.map(({ parameters }) => parameters.resource_metadata).find(Boolean);
  if (named === undefined || !URL.canParse(named)) return undefined;
  return new URL(named).origin === new URL(url).origin ? named : undefined;
}

/** Sends the requests of one probe and reports their outcomes. */
class Asking {
  readonly url: string;
  readonly #http: HttpClient;
  readonly #options: DetectOptions;

  constructor(http: HttpClient, url: string, options: DetectOptions) {
    this.url = url;
    this.#http = http;
    this.#options = options;
  }

  /** How the server answers a request without credentials. */
  async challenge(): Promise<{ refused: boolean; challenges: Challenge[] }> {
    const { url } = this;
    try {
      const { status, headers, body } = await this.#get(url, 'application/json, text/event-stream');
      await end(body);
      this.#report(url, `responded with ${status}`);
      const refused = status === 401 || status === 403;
      return { refused, challenges: refused ? challengesIn(headers['www-authenticate']) : [] };
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (!(error instanceof UnreachableError)) throw error;
      this.#report(url, error.message);
      throw new ExecutorError('unreachable', error.message, { cause: error, details: { code: error.code } });
    }
  }

  /** The first in order that has readable metadata. */
  async first<Result>(
    urls: string[],
    read: (json: unknown) => Result | undefined,
  ): Promise<Result | undefined> {
    const all = await Promise.all(urls.map((url) => this.#metadata(url, read)));
    return all.find((result) => result !== undefined);
  }

  async #metadata<Result>(
    url: string,
    read: (json: unknown) => Result | undefined,
  ): Promise<Result | undefined> {
    try {
      const { status, body } = await this.#get(url, 'application/json');
      const text = await textOf(body, status === 200 ? maxMetadataBytes : 0);
      const result = text === undefined ? undefined : read(JSON.parse(text));
      this.#report(url, result ? 'OAuth metadata' : `no OAuth metadata, responded with ${status}`);
      return result;
    } catch (error) {
      this.#options.signal.throwIfAborted();
      this.#report(url, error instanceof UnreachableError ? error.message : 'no OAuth metadata');
      return undefined;
    }
  }

  #get(url: string, accept: string) {
    const isTyped = new URL(url).hostname === new URL(this.url).hostname;
    const { signal, serverCa, allowPrivateNetwork } = this.#options;
    return this.#http.send(
      { method: 'GET', url, headers: { accept, 'user-agent': 'executor' } },
      {
        signal,
        allowPrivateNetwork: allowPrivateNetwork && isTyped,
        serverCa: isTyped ? serverCa : undefined,
        redirects: 'read',
      },
    );
  }

  #report(url: string, outcome: string): void {
    this.#options.report?.({ request: `GET ${url}`, outcome });
  }
}

/** Undefined if the text is longer. */
async function textOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function end(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
