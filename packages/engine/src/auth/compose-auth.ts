import type { SourceAuth } from '@executor/protocol';
import type { SourceAccess } from '../catalog/opened-source.ts';
import type { Auth, SecurityRequirement, SecurityScheme } from '../ports/source.ts';
import { certificateOf } from './client-certificate.ts';

export type ComposedAuth = { type: 'ready'; auth: Auth } | MissingAuth;

export interface MissingAuth {
  type: 'missing';
  /** What would do: of one of these, every scheme. */
  alternatives: MissingScheme[][];
}

export interface MissingScheme {
  name: string;
  scheme: SecurityScheme | undefined;
  /** It has no value, or none that fits it. */
  missing: boolean;
}

/**
 * What a call shows to be let in. Of the alternatives that its system names the first counts for which there is everything; being let in
 * without anything comes last. Where the system says nothing, what a person has set is sent all the same: many documents forget
 * to say what they need. Where it says that nothing is needed, nothing is shown but what a person wrote for no
 * scheme: headers, query and cookies. A client certificate belongs to the connection, and is there for each call.
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
    return { type: 'ready', auth: unasked(auth, schemes) };
  if (alternatives.length === 0) return { type: 'ready', auth: byHand(auth) };
  const byName = new Map(schemes.map((scheme) => [scheme.name, scheme]));
  const missing: MissingScheme[][] = [];
  for (const alternative of alternatives) {
    const parts = alternative.map(({ scheme: name }) => {
      const scheme = byName.get(name);
      return { name, scheme, value: valueFor(name, scheme, auth) };
    });
    const values = parts.flatMap(({ value }) => (value ? [value] : []));
    if (values.length === parts.length) return { type: 'ready', auth: merge([beside(auth), ...values]) };
    missing.push(parts.map(({ name, scheme, value }) => ({ name, scheme, missing: value === undefined })));
  }
  // Whoever sets what no scheme is named for knows what it is for: of what has no value by name, it will do.
  const isLocked =
    Object.keys(certificateOf(auth)).length === 0 && alternatives.every(needsCertificate(byName));
  if (Object.keys(beside(auth)).length > 0 && !isLocked)
    return { type: 'ready', auth: unasked(auth, schemes) };
  const isOptional = alternatives.length < requirements.length;
  return isOptional ? { type: 'ready', auth: {} } : { type: 'missing', alternatives: missing };
}

/** What is sent whatever schemes an operation names. */
function beside(auth: SourceAuth): Auth {
  if (auth.type !== 'schemes') return {};
  const { headers, query, cookies } = auth;
  return { ...(headers && { headers }), ...(query && { query }), ...(cookies && { cookies }) };
}

function byHand(auth: SourceAuth): Auth {
  return auth.type === 'headers' ? { headers: auth.headers } : beside(auth);
}

function needsCertificate(schemes: ReadonlyMap<string, SecurityScheme>) {
  return (alternative: SecurityRequirement) =>
    alternative.some(({ scheme }) => schemes.get(scheme)?.type === 'mutualTls');
}

/** For reading the document of a source, which is not one of its operations. */
export function documentAuth(auth: SourceAuth): Auth {
  return { ...unasked(auth, []), ...certificateOf(auth) };
}

function unasked(auth: SourceAuth, schemes: SecurityScheme[]): Auth {
  switch (auth.type) {
    case 'none':
      return {};
    case 'bearer':
      return authorization(`Bearer ${auth.token}`);
    case 'basic':
      return authorization(basic(auth));
    case 'apiKey':
      return placed(auth.in, auth.name, auth.value);
    case 'headers':
      return { headers: auth.headers };
    case 'schemes':
      return merge([beside(auth), ...schemes.flatMap((scheme) => valueFor(scheme.name, scheme, auth) ?? [])]);
  }
}

/** What one scheme is shown, if what a person has set fits it. Of a scheme that nobody describes, whatever is set will do. */
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
      return isAt(scheme, auth) ? placed(auth.in, auth.name, auth.value) : undefined;
    case 'headers':
      // Whoever writes headers by hand knows what they are for.
      return { headers: auth.headers };
    case 'schemes':
      return Object.hasOwn(auth.schemes, name) ? named(scheme, auth.schemes[name]) : undefined;
  }
}

type NamedValue = (SourceAuth & { type: 'schemes' })['schemes'][string] | undefined;

function named(scheme: SecurityScheme | undefined, value: NamedValue): Auth | undefined {
  if (value === undefined) return undefined;
  if (scheme?.type === 'apiKey') {
    return typeof value === 'string' ? placed(scheme.in, scheme.key, value) : undefined;
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

/** An older way to describe bearer and basic: a key in the header that both go in. */
function isAuthorizationHeader(scheme: SecurityScheme): boolean {
  return scheme.type === 'apiKey' && scheme.in === 'header' && /^authorization$/i.test(scheme.key);
}

function isAt(scheme: SecurityScheme | undefined, auth: SourceAuth & { type: 'apiKey' }): boolean {
  if (scheme === undefined) return true;
  const inAuthorization = auth.in === 'header' && /^authorization$/i.test(auth.name);
  if (scheme.type !== 'apiKey') return inAuthorization;
  if (scheme.in !== auth.in) return false;
  return auth.in === 'header'
    ? scheme.key.toLowerCase() === auth.name.toLowerCase()
    : scheme.key === auth.name;
}

function placed(place: 'header' | 'query' | 'cookie', name: string, value: string): Auth {
  const part = Object.fromEntries([[name, value]]);
  if (place === 'header') return { headers: part };
  return place === 'query' ? { query: part } : { cookies: part };
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
    for (const place of ['headers', 'query', 'cookies'] as const) {
      if (part[place]) merged[place] = { ...without(merged[place], place, part[place]), ...part[place] };
    }
  }
  return merged;
}

/** A header is the same in small letters. */
function without(
  values: Record<string, string> | undefined,
  place: 'headers' | 'query' | 'cookies',
  others: Record<string, string>,
): Record<string, string> {
  if (values === undefined || place !== 'headers') return values ?? {};
  const names = new Set(Object.keys(others).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name.toLowerCase())));
}
