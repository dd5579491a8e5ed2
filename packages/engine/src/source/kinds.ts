import { ExecutorError } from '@executor/protocol';
import type { Source, SourceSettings } from '../ports/source.ts';
import { type ChangeRequest, enteredSettings, type SourceRequest } from './source-request.ts';

/** The implementation of a kind. */
export function kindOf(kinds: readonly Source[], kind: string): Source {
  const source = kinds.find((known) => known.kind === kind);
  if (source) return source;
  throw new ExecutorError(
    'invalidRequest',
    `kind: "${kind}" cannot be connected here; known: ${kinds.map((known) => known.kind).join(', ') || 'none'}.`,
  );
}

/** The kinds that a request may be for, in the order in which they are tried. Throws if there is none. */
export function kindsFor(
  { kind, ...request }: SourceRequest,
  kinds: readonly Source[],
  { byCode }: { byCode: boolean },
): [Source, ...Source[]] {
  const settings = enteredSettings(request);
  const known = kinds.filter(({ checkSettings }) => checkSettings !== undefined);
  const possible = kind === undefined ? unnamed(known) : [kindOf(known, kind)];
  const problems: unknown[] = [];
  const [first, ...others] = possible.filter((source) => {
    try {
      source.checkSettings?.(settings);
      if (byCode) requireAllowed(source, settings);
      return true;
    } catch (error) {
      problems.push(error);
      return false;
    }
  });
  if (first) return [first, ...others];
  throw (
    problems.find(isForbidden) ??
    problems[0] ??
    new ExecutorError('invalidRequest', 'No kind of source can be connected here.')
  );
}

/** Kinds that must be named are tried last, and only at a URL at which they detect a system. */
function unnamed(kinds: readonly Source[]): Source[] {
  const detecting = kinds.filter(({ mustBeNamed, detect }) => mustBeNamed && detect);
  return [...kinds.filter(({ mustBeNamed }) => !mustBeNamed), ...detecting];
}

/** The code of a run may be an agent's. That a person approves the call does not make it theirs. */
function requireAllowed(source: Source, settings: SourceSettings): void {
  const reason = source.onlyForPeople?.(settings);
  if (reason !== undefined)
    throw new ExecutorError(
      'forbidden',
      `Only a person can add this source, in a request of their own. ${reason}`,
    );
}

function isForbidden(error: unknown): boolean {
  return error instanceof ExecutorError && error.code === 'forbidden';
}

/** Rejects settings that do not fit the kind of the source. */
export function requireFitting(source: Source, settings: SourceSettings, change: ChangeRequest): void {
  const { url: _, ...entered } = enteredSettings(change);
  const removed = Object.values(change).includes(null);
  if (Object.keys(entered).length === 0 && change.url === undefined && !removed) return;
  const { allowThisMachine: __, ...fitting } = settings;
  const { document, files } = change;
  source.checkSettings?.({
    ...fitting,
    ...(document !== undefined && { document }),
    ...(files && { files }),
  });
}
