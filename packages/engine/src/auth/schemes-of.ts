import type { SourceAuth } from '@executor/protocol';
import type { SecurityScheme } from '../ports/source.ts';
import { documentAuth } from './compose-auth.ts';

type BySchemes = Omit<SourceAuth & { type: 'schemes' }, 'type'>;

/** What credentials are by the names of the schemes that they fit. What fits none by name, and is sent in headers, is those headers. */
export function schemesOf(auth: SourceAuth, security: SecurityScheme[]): BySchemes {
  if (auth.type === 'schemes') return auth;
  const named = security.flatMap((scheme) => {
    const value = valueFor(auth, scheme);
    return value === undefined ? [] : [[scheme.name, value] as const];
  });
  if (named.length > 0) return { schemes: Object.fromEntries(named) };
  return { schemes: {}, headers: documentAuth(auth).headers };
}

function valueFor(auth: SourceAuth, scheme: SecurityScheme): BySchemes['schemes'][string] | undefined {
  if (auth.type === 'bearer') return takesToken(scheme) ? auth.token : undefined;
  if (auth.type === 'basic') {
    const { username, password } = auth;
    return isHttp(scheme, 'basic') ? { username, password } : undefined;
  }
  if (auth.type !== 'apiKey' || scheme.type !== 'apiKey' || scheme.in !== auth.in) return undefined;
  return scheme.key.toLowerCase() === auth.name.toLowerCase() ? auth.value : undefined;
}

function takesToken(scheme: SecurityScheme): boolean {
  return scheme.type === 'oauth2' || scheme.type === 'openIdConnect' || isHttp(scheme, 'bearer');
}

function isHttp(scheme: SecurityScheme, word: string): boolean {
  return scheme.type === 'http' && scheme.scheme.toLowerCase() === word;
}
