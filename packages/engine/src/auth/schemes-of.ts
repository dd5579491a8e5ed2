import type { SourceAuth } from '@executor/protocol';
import type { SecurityScheme } from '../ports/source.ts';
import { certificateOf } from './client-certificate.ts';
import { documentAuth, valueFor } from './compose-auth.ts';

type BySchemes = Omit<SourceAuth & { type: 'schemes' }, 'type'>;

/** What credentials are by the names of the schemes that they fit. What fits none is for none by name, and stays as it is. */
export function schemesOf(auth: SourceAuth, security: SecurityScheme[]): BySchemes {
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

function namedValue(auth: SourceAuth, scheme: SecurityScheme): BySchemes['schemes'][string] | undefined {
  const shown = valueFor(scheme.name, scheme, auth);
  if (shown === undefined || scheme.type === 'mutualTls') return undefined;
  // The value of a key is all that is in its place: of the Authorization header, the word before the token too.
  if (scheme.type === 'apiKey')
    return [shown.headers, shown.query, shown.cookies].flatMap((part) => Object.values(part ?? {}))[0];
  if (auth.type === 'bearer') return auth.token;
  return auth.type === 'basic' ? { username: auth.username, password: auth.password } : undefined;
}
