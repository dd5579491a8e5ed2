import type { SourceAuth } from '@executor/protocol';
import type { SecurityScheme } from '../ports/source.ts';

type BySchemes = Omit<SourceAuth & { type: 'schemes' }, 'type'>;

/** What credentials are by the names of the schemes that they fit. Headers that were written by hand are for none by name, and stay. */
export function schemesOf(auth: SourceAuth, security: SecurityScheme[]): BySchemes {
  if (auth.type === 'schemes') return auth;
  if (auth.type === 'headers') return { schemes: {}, headers: auth.headers };
  const named = security.flatMap((scheme) => {
    const value = valueFor(auth, scheme);
    return value === undefined ? [] : [[scheme.name, value] as const];
  });
  return { schemes: Object.fromEntries(named) };
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
