import { ExecutorError, nearest } from '@executor/protocol';

/** The variables in the URLs of a document, with the values that each accepts. An empty list accepts any value. */
type Variables = ReadonlyMap<string, readonly string[]>;

/** Rejects values for variables that the document does not have. They would silently never be sent. */
export function requireKnownVariables(entered: Record<string, string> = {}, known: Variables): void {
  for (const [name, value] of Object.entries(entered)) requireVariable(name, value, known);
}

function requireVariable(name: string, value: string, known: Variables): void {
  const choices = known.get(name);
  if (choices === undefined) throw unknownVariable(name, [...known.keys()]);
  if (choices.length === 0 || choices.includes(value)) return;
  throw new ExecutorError(
    'invalidRequest',
    `The server variable "${name}" must be one of ${listed(choices)}, got "${value}".`,
  );
}

function unknownVariable(name: string, known: string[]): ExecutorError {
  const similar = nearest(name, known);
  const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
  const all = known.length === 0 ? 'It has none.' : `It has ${listed(known)}.`;
  return new ExecutorError('invalidRequest', `The document has no server variable "${name}".${hint} ${all}`);
}

const maxListed = 20;

function listed(names: readonly string[]): string {
  const more = names.length > maxListed ? `, and ${names.length - maxListed} more` : '';
  return `${names.slice(0, maxListed).join(', ')}${more}`;
}
