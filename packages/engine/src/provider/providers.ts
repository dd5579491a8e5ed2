import { type AuthScheme, type Provider, Providers } from '@executor/protocol';
import data from './providers.json' with { type: 'json' };

/** The providers whose kinds can be connected, and that have all words of the query. */
export function findProviders(kinds: readonly { kind: string }[], query = ''): Provider[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return all().filter((provider) => {
    const { name, title, group, kind } = provider;
    const text = `${name} ${title} ${group} ${kind}`.toLowerCase();
    return kinds.some((known) => known.kind === kind) && words.every((word) => text.includes(word));
  });
}

/** The providers of an API: those with this URL, or else those that are called at its host. */
export function providersAt(urls: readonly string[]): Provider[] {
  const exact = all().filter(({ url }) => urls.includes(url));
  if (exact.length > 0) return exact;
  const hosts = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname);
  return all().filter((provider) => hostsOf(provider).some((host) => hosts.includes(host)));
}

/** The way to authenticate that users of the provider choose. */
export function authSchemesOf({ auth, authKey = 'authorization' }: Provider): AuthScheme[] {
  switch (auth) {
    case 'none':
      return [];
    case 'apiKey':
      return [{ type: 'apiKey', name: auth, in: 'header', key: authKey }];
    case 'oauth2':
      return [{ type: 'oauth2', name: auth }];
    default:
      return [{ type: 'http', name: auth, scheme: auth }];
  }
}

/** A document is often on a host that has documents of others. */
function hostsOf({ hosts, kind, url }: Provider): string[] {
  return hosts ?? (kind === 'openapi' ? [] : [new URL(url).hostname]);
}

let parsed: Provider[] | undefined;

function all(): Provider[] {
  parsed ??= Providers.parse(data);
  return parsed;
}
