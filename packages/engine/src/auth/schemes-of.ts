import type { SourceAuth } from '@executor/protocol';
import type { SecurityScheme } from '../ports/source.ts';
import { certificateOf } from './client-certificate.ts';
import { documentAuth, valueFor } from './compose-auth.ts';

type SchemeValues = Omit<SourceAuth & { type: 'schemes' }, 'type'>;

/** Credentials by the names of the schemes that they fit. Values that fit no scheme are kept without a name. */
export function schemesOf(auth: SourceAuth, security: SecurityScheme[]): SchemeValues {
  if (auth.type === 'schemes') return auth;
  const certificate = certificateOf(auth);
  if (auth.type === 'headers') return { schemes: {}, headers: auth.headers, ...certificate };
  const named = security.flatMap((scheme) => {
    const value = namedValue(auth, scheme);
    return value === undefined ? [] : [[scheme.name, value] as const];
  });
  if (named.length === 0) return { schemes: {}, ...documentAuth(auth) };
  return { schemes: Object.fromEntries(named), ...certificate };
}

function namedValue(auth: SourceAuth, scheme: SecurityScheme): SchemeValues['schemes'][string] | undefined {
  const fitting = valueFor(scheme.name, scheme, auth);
  if (fitting === undefined || scheme.type === 'mutualTls') return undefined;
  // The value of an API key is the whole header. In the Authorization header, that includes the word before the token.
  if (scheme.type === 'apiKey')
    return [fitting.headers, fitting.query, fitting.cookies].flatMap((part) => Object.values(part ?? {}))[0];
  if (auth.type === 'bearer') return auth.token;
  return auth.type === 'basic' ? { username: auth.username, password: auth.password } : undefined;
}
