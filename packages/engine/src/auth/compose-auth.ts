import type { SourceAuth } from '@executor/protocol';
import type { SourceAccess } from '../catalog/opened-source.ts';
import type { Auth, CredentialNames, SecurityRequirement, SecurityScheme } from '../ports/source.ts';
import { certificateOf } from './client-certificate.ts';

export type ComposedAuth = { type: 'ready'; auth: Auth } | MissingAuth;

export interface MissingAuth {
  type: 'missing';
  /** Alternatives. The call needs all schemes of one of them. */
  alternatives: MissingScheme[][];
}

export interface MissingScheme {
  name: string;
  scheme: SecurityScheme | undefined;
  /** Whether no value is set that fits the scheme. */
  missing: boolean;
}

/**
 * Composes the credentials of a call.
 *
 * - If the document lists alternatives, the first one with all values applies. Sending nothing is the last choice, if it is allowed.
 * - If the document lists none, Executor sends what the user has set, because many documents forget to say what they need.
 * - If the document says that no credentials are needed, Executor sends only headers, query parameters and cookies that the user set
 *   without a scheme.
 * - A client certificate belongs to the connection, so it applies to each call.
 */
export function composeAuth(
  access: SourceAccess,
  requirements: SecurityRequirement[] | undefined,
): ComposedAuth {
  const composed = composeValues(access, requirements);
  if (composed.type === 'missing') return composed;
  return { type: 'ready', auth: { ...composed.auth, ...certificateOf(access.auth) } };
}

function composeValues(
  { auth, schemes }: SourceAccess,
  requirements: SecurityRequirement[] | undefined,
): ComposedAuth {
  const alternatives = (requirements ?? []).filter((alternative) => alternative.length > 0);
  if (requirements === undefined || requirements.length === 0)
    return { type: 'ready', auth: allValues(auth, schemes) };
  if (alternatives.length === 0) return { type: 'ready', auth: plainHeaders(auth) };
  const byName = new Map(schemes.map((scheme) => [scheme.name, scheme]));
  const missing: MissingScheme[][] = [];
  for (const alternative of alternatives) {
    const parts = alternative.map(({ scheme: name }) => {
      const scheme = byName.get(name);
      return { name, scheme, value: valueFor(name, scheme, auth) };
    });
    const values = parts.flatMap(({ value }) => (value ? [value] : []));
    if (values.length === parts.length)
      return { type: 'ready', auth: merge([unnamedValues(auth), ...values]) };
    missing.push(parts.map(({ name, scheme, value }) => ({ name, scheme, missing: value === undefined })));
  }
  // Values that the user set without a scheme may stand in for schemes without a value.
  const lacksCertificate =
    Object.keys(certificateOf(auth)).length === 0 && alternatives.every(needsCertificate(byName));
  if (Object.keys(unnamedValues(auth)).length > 0 && !lacksCertificate)
    return { type: 'ready', auth: allValues(auth, schemes) };
  const isOptional = alternatives.length < requirements.length;
  return isOptional ? { type: 'ready', auth: {} } : { type: 'missing', alternatives: missing };
}

/** Values that are sent with every call, whatever schemes it needs. */
function unnamedValues(auth: SourceAuth): Auth {
  if (auth.type !== 'schemes') return {};
  const { headers, query, cookies } = auth;
  return { ...(headers && { headers }), ...(query && { query }), ...(cookies && { cookies }) };
}

function plainHeaders(auth: SourceAuth): Auth {
  return auth.type === 'headers' ? { headers: auth.headers } : unnamedValues(auth);
}

function needsCertificate(schemes: ReadonlyMap<string, SecurityScheme>) {
  return (alternative: SecurityRequirement) =>
    alternative.some(({ scheme }) => schemes.get(scheme)?.type === 'mutualTls');
}

/** The credentials for reading the document of a source, which is not one of its operations. */
export function documentAuth(auth: SourceAuth): Auth {
  return { ...allValues(auth, []), ...certificateOf(auth) };
}

function allValues(auth: SourceAuth, schemes: SecurityScheme[]): Auth {
  switch (auth.type) {
    case 'none':
      return {};
    case 'bearer':
      return authorization(`Bearer ${auth.token}`);
    case 'basic':
      return authorization(basic(auth));
    case 'apiKey':
      return keyIn(auth.in, auth.name, auth.value);
    case 'headers':
      return { headers: auth.headers };
    case 'schemes':
      return merge([
        unnamedValues(auth),
        ...schemes.flatMap((scheme) => valueFor(scheme.name, scheme, auth) ?? []),
      ]);
  }
}

/** The value for one scheme, if the user has set one that fits. Any value fits a scheme that the document does not describe. */
export function valueFor(
  name: string,
  scheme: SecurityScheme | undefined,
  auth: SourceAuth,
): Auth | undefined {
  if (scheme?.type === 'mutualTls') return 'certificate' in certificateOf(auth) ? {} : undefined;
  switch (auth.type) {
    case 'none':
      return undefined;
    case 'bearer':
      return takesBearer(scheme) ? authorization(`Bearer ${auth.token}`) : undefined;
    case 'basic':
      return takesBasic(scheme) ? authorization(basic(auth)) : undefined;
    case 'apiKey':
      return takesApiKey(scheme, auth) ? keyIn(auth.in, auth.name, auth.value) : undefined;
    case 'headers':
      // Headers that the user wrote fit every scheme.
      return { headers: auth.headers };
    case 'schemes':
      return Object.hasOwn(auth.schemes, name) ? schemeValue(scheme, auth.schemes[name]) : undefined;
  }
}

type NamedValue = (SourceAuth & { type: 'schemes' })['schemes'][string] | undefined;

function schemeValue(scheme: SecurityScheme | undefined, value: NamedValue): Auth | undefined {
  if (value === undefined) return undefined;
  if (scheme?.type === 'apiKey') {
    return typeof value === 'string' ? keyIn(scheme.in, scheme.key, value) : undefined;
  }
  const word = scheme?.type === 'http' ? scheme.scheme : 'Bearer';
  if (typeof value !== 'string') return /^basic$/i.test(word) ? authorization(basic(value)) : undefined;
  if (/^basic$/i.test(word)) return authorization(`Basic ${base64(value)}`);
  return authorization(`${/^bearer$/i.test(word) ? 'Bearer' : word} ${value}`);
}

function takesBearer(scheme: SecurityScheme | undefined): boolean {
  if (scheme === undefined || scheme.type === 'oauth2' || scheme.type === 'openIdConnect') return true;
  return (scheme.type === 'http' && /^bearer$/i.test(scheme.scheme)) || isAuthorizationHeader(scheme);
}

function takesBasic(scheme: SecurityScheme | undefined): boolean {
  if (scheme === undefined) return true;
  return (scheme.type === 'http' && /^basic$/i.test(scheme.scheme)) || isAuthorizationHeader(scheme);
}

/** Older documents describe bearer and basic authentication as a key in the Authorization header. */
function isAuthorizationHeader(scheme: SecurityScheme): boolean {
  return scheme.type === 'apiKey' && scheme.in === 'header' && /^authorization$/i.test(scheme.key);
}

function takesApiKey(scheme: SecurityScheme | undefined, auth: SourceAuth & { type: 'apiKey' }): boolean {
  if (scheme === undefined) return true;
  const inAuthorization = auth.in === 'header' && /^authorization$/i.test(auth.name);
  if (scheme.type !== 'apiKey') return inAuthorization;
  if (scheme.in !== auth.in) return false;
  return auth.in === 'header'
    ? scheme.key.toLowerCase() === auth.name.toLowerCase()
    : scheme.key === auth.name;
}

function keyIn(part: 'header' | 'query' | 'cookie', name: string, value: string): Auth {
  const values = Object.fromEntries([[name, value]]);
  if (part === 'header') return { headers: values };
  return part === 'query' ? { query: values } : { cookies: values };
}

function authorization(value: string): Auth {
  return { headers: { Authorization: value } };
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${base64(`${username}:${password}`)}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function merge(parts: Auth[]): Auth {
  const merged: Auth = {};
  for (const part of parts) {
    for (const field of ['headers', 'query', 'cookies'] as const) {
      if (part[field]) merged[field] = { ...without(merged[field], field, part[field]), ...part[field] };
    }
  }
  return merged;
}

/** The values without those that `others` replaces. Header names are case-insensitive. */
function without(
  values: Record<string, string> | undefined,
  field: 'headers' | 'query' | 'cookies',
  others: Record<string, string>,
): Record<string, string> {
  if (values === undefined || field !== 'headers') return values ?? {};
  const names = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name.toLowerCase())));
}

export function credentialNamesOf({ headers = {}, query = {}, cookies = {} }: Auth): CredentialNames {
  return { headers: Object.keys(headers), query: Object.keys(query), cookies: Object.keys(cookies) };
}
