import type { FoundTool } from '../catalog/opened-source.ts';
import { toolError } from '../execution/call/call-result.ts';
import type { CallResult } from '../ports/sandbox.ts';
import type { SecurityScheme } from '../ports/source.ts';
import type { MissingAuth, MissingScheme } from './compose-auth.ts';

/** The error for a call without its credentials. It names the missing schemes and the command that sets them. */
export function credentialsMissing(
  found: Pick<FoundTool, 'tool' | 'access'>,
  missing: MissingAuth,
): CallResult {
  const { message, schemes } = missingCredentials(found, missing);
  return toolError(message, { code: 'credentialsMissing', schemes });
}

export function missingCredentials(
  { tool: { path, namespace }, access }: Pick<FoundTool, 'tool' | 'access'>,
  { alternatives }: MissingAuth,
): { message: string; schemes: string[][] } {
  // Alternatives may differ only in their scopes.
  const missing = distinct(alternatives.map((schemes) => schemes.filter((scheme) => scheme.missing)));
  const sentence = missing.map((schemes) => schemes.map(schemeText).join(' and ')).join(', or ');
  const easiest = missing.find((schemes) => !schemes.some(isCertificate)) ?? missing[0] ?? [];
  const command = commandFor(namespace, easiest, access.auth.type === 'none');
  return {
    message: `${path} needs credentials that the source does not have: ${sentence}. A person can set them: ${command}`,
    schemes: missing.map((schemes) => schemes.map(({ name }) => name)),
  };
}

function distinct(alternatives: MissingScheme[][]): MissingScheme[][] {
  const byNames = new Map(
    alternatives.map((schemes) => [JSON.stringify(schemes.map(({ name }) => name)), schemes]),
  );
  return [...byNames.values()];
}

function isCertificate({ scheme }: Pick<MissingScheme, 'scheme'>): boolean {
  return scheme?.type === 'mutualTls';
}

function schemeText({ name, scheme }: MissingScheme): string {
  return `${name} (${scheme ? kindText(scheme) : 'which its document does not describe'})`;
}

export function kindText(scheme: SecurityScheme): string {
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
      return 'a client certificate';
  }
}

/** If nothing is set yet, a single scheme has a short option. Otherwise the scheme's name is needed, so that other values are kept. */
function commandFor(
  namespace: string,
  schemes: Pick<MissingScheme, 'name' | 'scheme'>[],
  isFirst: boolean,
): string {
  const edit = `executor sources edit ${namespace}`;
  const [only] = schemes;
  if (!isFirst || schemes.length !== 1 || only === undefined) {
    return `${edit} ${schemes.map(optionFor).join(' ')}`.trim();
  }
  const { scheme } = only;
  if (isCertificate(only)) return `${edit} ${optionFor(only)}`;
  if (scheme?.type === 'apiKey') return `${edit} --api-key ${quoted(`${scheme.in}:${scheme.key}`)}`;
  return scheme?.type === 'http' && /^basic$/i.test(scheme.scheme) ? `${edit} --basic` : `${edit} --bearer`;
}

function optionFor(missing: Pick<MissingScheme, 'name' | 'scheme'>): string {
  return isCertificate(missing)
    ? '--client-certificate FILE --client-key FILE'
    : `--scheme ${quoted(missing.name)}`;
}

/** Quotes a name from the document, because users paste the command into a shell. */
function quoted(word: string): string {
  return /^[\w.:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
