import { ExecutorError, nearest } from '@executor/protocol';
import type { SecurityScheme } from '../../ports/source.ts';
import type { ChangeRequest, SourceRequest } from '../source-request.ts';

/** Rejects values for security schemes that the source does not have. They would silently never be sent. */
export function requireKnownSchemes(
  { auth }: Pick<SourceRequest | ChangeRequest, 'auth'>,
  { security = [] }: { security?: SecurityScheme[] },
): void {
  const schemes = auth?.type === 'schemes' ? Object.entries(auth.schemes) : [];
  for (const [name, value] of schemes) if (value !== null) requireScheme(name, security);
}

function requireScheme(name: string, security: SecurityScheme[]): void {
  const scheme = security.find((one) => one.name === name);
  if (scheme === undefined)
    throw unknownScheme(
      name,
      security.map((one) => one.name),
    );
  if (scheme.type === 'mutualTls')
    throw new ExecutorError(
      'invalidRequest',
      `The security scheme "${name}" needs a client certificate. Set it with --client-certificate FILE --client-key FILE.`,
    );
}

function unknownScheme(name: string, known: string[]): ExecutorError {
  const similar = nearest(name, known);
  const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
  const all = known.length === 0 ? 'It has none.' : `It has ${listed(known)}.`;
  return new ExecutorError('invalidRequest', `The document has no security scheme "${name}".${hint} ${all}`);
}

const maxListed = 20;

function listed(names: readonly string[]): string {
  const more = names.length > maxListed ? `, and ${names.length - maxListed} more` : '';
  return `${names.slice(0, maxListed).join(', ')}${more}`;
}
