import type { AuthScheme, Confidence, FoundSource, Provider } from '@executor/protocol';
import { kindText } from '../../auth/credentials-missing.ts';
import type { ProbedAccess } from '../../ports/access-probe.ts';
import type { DetectedSource, SecurityScheme } from '../../ports/source.ts';
import { authSchemesOf, providersAt } from '../../provider/providers.ts';
import { freeNamespace, namespaceFromTitle, namespaceFromUrl } from '../namespace.ts';
import { displayName } from '../source-row.ts';

/** A system that a probe found. */
export interface Candidate {
  kind: string;
  url: string;
  detected: DetectedSource;
}

interface Surroundings {
  /** How the server at the typed URL wants its callers to authenticate. */
  access: ProbedAccess | undefined;
  takenNamespaces: readonly string[];
}

const maxServers = 10;

/** A candidate for a user to read, with the confidence in each part. */
export function foundSource(
  { kind, url, detected }: Candidate,
  { access, takenNamespaces }: Surroundings,
): FoundSource {
  const { title, confidence = 'certain', transport, servers } = detected;
  const name = displayName(title);
  const ofTitle = title === undefined ? undefined : namespaceFromTitle(title);
  const namespace = freeNamespace(ofTitle ?? namespaceFromUrl(url) ?? 'api', takenNamespaces);
  const calls = servers?.length ? servers.slice(0, maxServers) : [new URL(url).origin];
  const auth = authOf(detected, access, [url, ...calls]);
  const credential = credentialOf(auth.schemes, access, [url, ...calls]);
  return {
    kind,
    url,
    name: name ?? new URL(url).hostname,
    namespace,
    ...(name !== undefined && { title: name }),
    transport: transport ?? 'http',
    servers: calls,
    ...(auth.schemes && { auth: auth.schemes }),
    ...(credential && { credential }),
    confidence: {
      kind: confidence,
      name: name === undefined ? 'guess' : confidence,
      namespace: ofTitle === undefined ? 'guess' : 'likely',
      transport: transport === undefined ? 'likely' : confidence,
      servers: servers?.length ? confidence : 'guess',
      auth: auth.confidence,
    },
  };
}

/** What the description says counts first, then what the server says, then what is known of the provider. */
function authOf(
  { security, confidence = 'certain' }: DetectedSource,
  access: ProbedAccess | undefined,
  urls: string[],
): { schemes?: AuthScheme[]; confidence: Confidence } {
  if (security && (security.length > 0 || !access?.refused))
    return { schemes: security.map(shownScheme), confidence };
  if (access && access.security.length > 0)
    return { schemes: access.security.map(shownScheme), confidence: 'certain' };
  const [provider] = providersAt(urls);
  if (provider) return { schemes: authSchemesOf(provider), confidence: 'likely' };
  return { confidence: 'guess' };
}

/** Says which credential is needed and where to get one. Undefined if none is needed, or nothing is known. */
export function credentialOf(
  schemes: AuthScheme[] | undefined,
  access: ProbedAccess | undefined,
  urls: string[],
): FoundSource['credential'] {
  const [provider] = providersAt(urls);
  if (!schemes?.length && !access?.refused) return undefined;
  const sentences = schemes?.length
    ? [`Calls use ${[...new Set(schemes.map(schemeText))].join(', or ')}.`]
    : ['Its server refuses requests without credentials, and does not say which kind it needs.'];
  if (provider?.keyUrl) sentences.push(`Get one at ${provider.keyUrl}.`);
  else if (access?.authorizationServers.length)
    sentences.push(`Users sign in at ${access.authorizationServers.join(' or ')}.`);
  return { message: sentences.join(' '), ...linksOf(provider) };
}

function linksOf({ keyUrl, docsUrl }: Partial<Provider> = {}) {
  return { ...(keyUrl !== undefined && { keyUrl }), ...(docsUrl !== undefined && { docsUrl }) };
}

export function shownScheme(scheme: SecurityScheme): AuthScheme {
  const { type, name } = scheme;
  switch (type) {
    case 'apiKey':
      return { type, name, in: scheme.in, key: scheme.key };
    case 'http':
      return { type, name, scheme: scheme.scheme };
    case 'oauth2': {
      const flows = Object.values(scheme.flows) as ({ authorizationUrl?: unknown } | null)[];
      const url = flows.map((flow) => flow?.authorizationUrl).find((value) => typeof value === 'string');
      return { type, name, ...(url !== undefined && { url: url as string }) };
    }
    case 'openIdConnect':
      return { type, name, url: scheme.url };
    case 'mutualTls':
      return { type, name };
  }
}

function schemeText({ type, name, in: where = 'header', key = '', scheme = 'bearer', url = '' }: AuthScheme) {
  if (type === 'apiKey') return kindText({ type, name, in: where, key });
  if (type === 'http') return scheme === 'bearer' ? 'a bearer token' : kindText({ type, name, scheme });
  if (type === 'openIdConnect') return kindText({ type, name, url });
  return kindText(type === 'oauth2' ? { type, name, flows: {} } : { type, name });
}
