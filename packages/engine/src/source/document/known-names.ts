import { ExecutorError, type NewSource, nearest, type SourceChange } from '@executor/protocol';
import type { LoadedSource, SecurityScheme } from '../../ports/source.ts';

type NamesInDocument = Pick<LoadedSource, 'security' | 'serverVariables'>;

/** Rejects values for schemes and variables that the document does not have. They would silently never be sent. */
export function requireKnownNames(
  { auth, serverVariables }: NewSource | SourceChange,
  { security = [], serverVariables: known }: NamesInDocument,
): void {
  const schemes = auth?.type === 'schemes' ? Object.entries(auth.schemes) : [];
  for (const [name, value] of schemes) if (value !== null) requireScheme(name, security);
  if (known === undefined) return;
  for (const [name, value] of Object.entries(serverVariables ?? {})) requireVariable(name, value, known);
}

function requireScheme(name: string, security: SecurityScheme[]): void {
  const scheme = security.find((one) => one.name === name);
  if (scheme === undefined)
    throw unknownName(
      'security scheme',
      name,
      security.map((one) => one.name),
    );
  if (scheme.type === 'mutualTls')
    throw new ExecutorError(
      'invalidRequest',
      `The security scheme "${name}" needs a client certificate. Set it with --client-certificate FILE --client-key FILE.`,
    );
}

function requireVariable(name: string, value: string, known: ReadonlyMap<string, readonly string[]>): void {
  const choices = known.get(name);
  if (choices === undefined) throw unknownName('server variable', name, [...known.keys()]);
  if (choices.length === 0 || choices.includes(value)) return;
  throw new ExecutorError(
    'invalidRequest',
    `The server variable "${name}" must be one of ${listed(choices)}, got "${value}".`,
  );
}

function unknownName(kind: string, name: string, known: string[]): ExecutorError {
  const similar = nearest(name, known);
  const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
  const all = known.length === 0 ? 'It has none.' : `It has ${listed(known)}.`;
  return new ExecutorError('invalidRequest', `The document has no ${kind} "${name}".${hint} ${all}`);
}

const maxListed = 20;

function listed(names: readonly string[]): string {
  const more = names.length > maxListed ? `, and ${names.length - maxListed} more` : '';
  return `${names.slice(0, maxListed).join(', ')}${more}`;
}
