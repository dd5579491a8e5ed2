import { isDeepStrictEqual } from 'node:util';
import { ExecutorError, type SourceProblem, seedSource, toExecutorError } from '@executor/protocol';
import { certificateOf } from '../auth/client-certificate.ts';
import type { Clock } from '../clock.ts';
import type { SourceProvenance, SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import { hashOf, hasUrl, isSameRequest, isSameText } from './document/source-files.ts';
import type { Initiator } from './initiator.ts';
import { namespaceFromName } from './namespace.ts';
import type { ChangeRequest, SourceRequest } from './source-request.ts';
import type { Sources } from './sources.ts';

interface Dependencies {
  store: Pick<Store, 'sources'>;
  sources: Pick<Sources, 'ensureAs' | 'updateAs' | 'setProblems' | 'stopping'>;
  clock: Pick<Clock, 'after'>;
  onProblem(message: string, details: Record<string, unknown>): void;
}

interface Entry {
  index: number;
  entry: unknown;
}

const firstWaitMs = 5_000;
const maxWaitMs = 5 * 60_000;

/**
 * Connects the sources of the configuration (EXECUTOR_TOOL_SOURCES) one by one. An invalid entry does not stop the others. A source that does
 * not respond yet is retried with increasing delays.
 */
export async function connectConfigured(
  entries: readonly unknown[],
  initiator: Initiator,
  dependencies: Dependencies,
): Promise<SourceProblem[]> {
  const { sources, onProblem } = dependencies;
  const { workspaceId } = initiator.principal;
  const all = entries.map((entry, index) => ({ index, entry }));
  const attempt = async (
    pending: Entry[],
    others: SourceProblem[],
    waitMs: number,
  ): Promise<SourceProblem[]> => {
    const problems = [...others, ...(await connectEntries(pending, initiator, dependencies))];
    problems.sort((one, other) => one.index - other.index);
    sources.setProblems(workspaceId, problems);
    const retries = pending.filter(({ index }) =>
      problems.some((one) => one.index === index && one.retrying),
    );
    if (retries.length === 0) return problems;
    runLater(waitMs, dependencies, () => {
      const final = problems.filter(({ retrying }) => !retrying);
      void attempt(retries, final, Math.min(waitMs * 2, maxWaitMs));
    });
    return problems;
  };
  const problems = await attempt(all, [], firstWaitMs);
  for (const problem of problems) onProblem('a configured source could not be connected', { ...problem });
  return problems;
}

async function connectEntries(
  entries: Entry[],
  initiator: Initiator,
  parts: Parts,
): Promise<SourceProblem[]> {
  const problems: SourceProblem[] = [];
  for (const { index, entry } of entries) {
    try {
      await connectOne(seedSource(entry), initiator, parts);
    } catch (thrown) {
      const error = toExecutorError(thrown);
      const message = `[${index}] ${error.message}`;
      problems.push({
        index,
        name: nameOf(entry, index),
        message,
        ...(isTransient(error) && { retrying: true }),
      });
    }
  }
  return problems;
}

/** Whether the other system may only be unavailable for now. */
function isTransient({ code, details = {} }: ExecutorError): boolean {
  if (code === 'unreachable') return details.code !== 'privateAddress' && details.code !== 'invalidRequest';
  const status = Number(details.status);
  return code === 'timeout' || code === 'databaseUnavailable' || status === 429 || status >= 500;
}

function runLater(waitMs: number, { clock, sources: { stopping } }: Dependencies, act: () => void): void {
  if (stopping.aborted) return;
  const callOff = clock.after(waitMs, () => {
    stopping.removeEventListener('abort', callOff);
    act();
  });
  stopping.addEventListener('abort', callOff, { once: true });
}

type Parts = Pick<Dependencies, 'store' | 'sources'>;

async function connectOne(entry: SourceRequest, initiator: Initiator, parts: Parts): Promise<void> {
  const namespace = entry.namespace ?? (entry.name && namespaceFromName(entry.name));
  // With a fixed namespace, the second of two servers that start at once gets a conflict instead of a second source.
  const request = { ...entry, ...(namespace && { namespace }) };
  const existing = await findExisting(request, initiator, parts);
  if (existing) return apply(request, existing, initiator, parts);
  try {
    await parts.sources.ensureAs(initiator, request, { configured: appliedEntry(request) });
  } catch (error) {
    const other = isConflict(error) ? await findExisting(request, initiator, parts) : undefined;
    if (other === undefined) throw error;
    await apply(request, other, initiator, parts);
  }
}

async function findExisting(
  request: SourceRequest,
  { principal }: Initiator,
  { store }: Parts,
): Promise<SourceRow | undefined> {
  const { namespace } = request;
  const rows = await store.sources.all(principal.workspaceId);
  if (namespace !== undefined) {
    const isFormer = ({ provenance }: SourceRow) => provenance.formerNamespaces?.includes(namespace) ?? false;
    return rows.find((row) => row.namespace === namespace) ?? rows.find(isFormer);
  }
  return rows.find((row) => isSameRequest(row, request));
}

/** Applies an entry only if it has changed, so that changes by users are kept. */
async function apply(
  request: SourceRequest,
  row: SourceRow,
  initiator: Initiator,
  { sources }: Parts,
): Promise<void> {
  const configured = appliedEntry(request);
  const before = row.provenance.configured;
  if (before?.hash === configured.hash) return;
  const dropped = (before?.fields ?? []).filter((field) => !configured.fields.includes(field));
  const change = { ...defaultsFor(dropped), ...differenceOf(row, request) };
  removeSchemes(change, dropped);
  await sources.updateAs(initiator, row.id, change, { configured });
}

function appliedEntry({
  namespace: _,
  ...request
}: SourceRequest): NonNullable<SourceProvenance['configured']> {
  const fields = Object.keys(request).sort();
  const hash = hashOf(JSON.stringify(fields.map((field) => [field, request[field]])));
  const schemes = request.auth?.type === 'schemes' ? Object.keys(request.auth.schemes) : [];
  const hasCertificate = request.auth !== undefined && 'certificate' in certificateOf(request.auth);
  const schemeFields = schemes.map((name) => `${schemeField}${name}`);
  return { hash, fields: [...fields, ...schemeFields, ...(hasCertificate ? [certificateField] : [])] };
}

const schemeField = 'auth.schemes.';
const certificateField = 'auth.certificate';

/** Removes the schemes that the entry no longer names. Schemes that it never named may have been set by a user, and are kept. */
function removeSchemes(change: ChangeRequest, dropped: string[]): void {
  if (change.auth?.type !== 'schemes') return;
  const removed = dropped.filter((field) => field.startsWith(schemeField));
  const nulls = removed.map((field) => [field.slice(schemeField.length), null] as const);
  change.auth = {
    ...(dropped.includes(certificateField) && { certificate: null }),
    ...change.auth,
    schemes: { ...Object.fromEntries(nulls), ...change.auth.schemes },
  };
}

/** Fields that have no default, or are not settings. A source keeps its name and its document. */
const kept = new Set(['kind', 'name', 'url', 'document', 'files']);

/** The defaults of these fields. Null restores the default of a setting. */
function defaultsFor(fields: string[]): ChangeRequest {
  const settings = fields.filter(
    (field) => !kept.has(field) && !field.startsWith('auth') && field !== 'approval',
  );
  return {
    ...Object.fromEntries(settings.map((field) => [field, null])),
    ...(fields.includes('auth') && { auth: { type: 'none' } }),
    ...(fields.includes('approval') && { approval: { read: null, write: null } }),
  };
}

/** The fields in which the entry and the source differ. */
function differenceOf(row: SourceRow, request: SourceRequest): ChangeRequest {
  const { kind: _, namespace: __, document, files, name, auth, approval, url, ...settings } = request;
  const change: Record<string, unknown> = {};
  const compare = (key: string, wanted: unknown, current: unknown) => {
    if (wanted !== undefined && !isDeepStrictEqual(wanted, current)) change[key] = wanted;
  };
  compare('name', name, row.name);
  compare('auth', auth, row.auth);
  const wanted = approval && { read: approval.read ?? null, write: approval.write ?? null };
  compare('approval', wanted, { read: null, write: null, ...row.approval });
  if (url !== undefined && !hasUrl(row, url)) change.url = url;
  for (const [key, value] of Object.entries(settings)) compare(key, value, row.settings[key]);
  if (document !== undefined && !isSameText(row, request))
    Object.assign(change, { document, ...(files && { files }) });
  return change as ChangeRequest;
}

function isConflict(error: unknown): boolean {
  return error instanceof ExecutorError && error.code === 'conflict';
}

function nameOf(entry: unknown, index: number): string {
  const { name, namespace } = (entry ?? {}) as { name?: unknown; namespace?: unknown };
  const label = name ?? namespace;
  return typeof label === 'string' ? label : `entry ${index}`;
}
