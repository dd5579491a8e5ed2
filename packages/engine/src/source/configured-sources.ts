import { isDeepStrictEqual } from 'node:util';
import {
  type NewSource,
  type SourceChange,
  type SourceProblem,
  seedSource,
  toExecutorError,
} from '@executor/protocol';
import type { SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import type { Acting } from './acting.ts';
import { hashOf } from './document-hash.ts';
import { namespaceFromName } from './namespace.ts';
import type { Sources } from './sources.ts';

interface Dependencies {
  store: Pick<Store, 'sources'>;
  sources: Pick<Sources, 'addAs' | 'updateAs' | 'setProblems'>;
  onProblem(message: string, details: Record<string, unknown>): void;
}

/** Connects what the configuration names (EXECUTOR_TOOL_SOURCES), one after the other; one that is wrong does not stop the others. */
export async function connectConfigured(
  entries: readonly unknown[],
  acting: Acting,
  { store, sources, onProblem }: Dependencies,
): Promise<SourceProblem[]> {
  const problems: SourceProblem[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      await connectOne(seedSource(entry), acting, { store, sources });
    } catch (error) {
      const { message } = toExecutorError(error);
      const problem = { index, name: nameOf(entry, index), message: `[${index}] ${message}` };
      problems.push(problem);
      onProblem('a configured source could not be connected', { ...problem });
    }
  }
  sources.setProblems(acting.principal.workspaceId, problems);
  return problems;
}

async function connectOne(
  request: NewSource,
  acting: Acting,
  { store, sources }: Pick<Dependencies, 'store' | 'sources'>,
): Promise<void> {
  const rows = await store.sources.all(acting.principal.workspaceId);
  const namespace = request.namespace ?? (request.name && namespaceFromName(request.name));
  const there = rows.find((row) =>
    namespace ? row.namespace === namespace : row.settings.url === request.url && isSameText(row, request),
  );
  if (there === undefined) return void (await sources.addAs(acting, request));
  const change = differenceOf(there, request);
  if (Object.keys(change).length > 0) await sources.updateAs(acting, there.id, change);
}

/** What the configuration says now and the source is not. */
function differenceOf(row: SourceRow, request: NewSource): SourceChange {
  const { kind: _, namespace: __, document, name, auth, approval, ...settings } = request;
  const change: Record<string, unknown> = {};
  const compare = (key: string, wanted: unknown, is: unknown) => {
    if (wanted !== undefined && !isDeepStrictEqual(wanted, is)) change[key] = wanted;
  };
  compare('name', name, row.name);
  compare('auth', auth, row.auth);
  compare('approval', approval, row.approval);
  for (const [key, wanted] of Object.entries(settings)) compare(key, wanted, row.settings[key]);
  if (document !== undefined && !isSameText(row, request)) change.document = document;
  return change as SourceChange;
}

function isSameText({ document }: SourceRow, request: NewSource): boolean {
  return request.document === undefined || document?.hash === hashOf(request.document);
}

function nameOf(entry: unknown, index: number): string {
  const { name, namespace } = (entry ?? {}) as { name?: unknown; namespace?: unknown };
  const given = name ?? namespace;
  return typeof given === 'string' ? given : `entry ${index}`;
}
