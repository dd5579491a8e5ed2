import type { CatalogTool } from '../catalog/opened-source.ts';
import { toolError } from '../execution/call-result.ts';
import type { CallResult } from '../ports/sandbox.ts';
import type { SecurityScheme } from '../ports/source.ts';
import type { MissingAuth, MissingScheme } from './compose-auth.ts';

/** A call that its system would refuse: says what is missing, and the command that sets it. */
export function credentialsMissing(
  { path, namespace }: Pick<CatalogTool, 'path' | 'namespace'>,
  { alternatives }: MissingAuth,
): CallResult {
  const ways = alternatives.map((schemes) => schemes.filter(({ missing }) => missing));
  const sentence = ways.map((schemes) => schemes.map(schemeText).join(' and ')).join(', or ');
  return toolError(
    `${path} needs credentials that the source has not: ${sentence}. A person sets them: ${commandFor(namespace, ways[0] ?? [])}`,
    { code: 'credentialsMissing', schemes: ways.map((schemes) => schemes.map(({ name }) => name)) },
  );
}

function schemeText({ name, scheme }: MissingScheme): string {
  return `${name} (${scheme ? kindText(scheme) : 'which its document does not describe'})`;
}

function kindText(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return `a key in the ${scheme.in === 'query' ? 'query parameter' : scheme.in} ${scheme.key}`;
    case 'http':
      return `HTTP ${scheme.scheme}`;
    case 'oauth2':
      return 'an OAuth 2 access token';
    case 'openIdConnect':
      return 'an OpenID Connect token';
    case 'mutualTls':
      return 'a client certificate, which is not supported yet';
  }
}

/** One scheme has a short form; several are set by their names. */
function commandFor(namespace: string, schemes: Pick<MissingScheme, 'name' | 'scheme'>[]): string {
  const edit = `executor sources edit ${namespace}`;
  const [only] = schemes;
  if (schemes.length !== 1 || only === undefined) {
    return `${edit} ${schemes.map(({ name }) => `--scheme ${name}`).join(' ')}`.trim();
  }
  const { scheme } = only;
  if (scheme?.type === 'apiKey') return `${edit} --api-key ${scheme.in}:${scheme.key}`;
  return scheme?.type === 'http' && /^basic$/i.test(scheme.scheme) ? `${edit} --basic` : `${edit} --bearer`;
}
