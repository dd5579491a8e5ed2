import { isDeepStrictEqual } from 'node:util';
import {
  ExecutorError,
  type NewSource,
  type SourceChange,
  type SourceProblem,
  seedSource,
  toExecutorError,
} from '@executor/protocol';
import { certificateOf } from '../auth/client-certificate.ts';
import type { Clock } from '../clock.ts';
import type { SourceProvenance, SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import { hashOf, isSameText } from './document/source-files.ts';
import type { Initiator } from './initiator.ts';
import { namespaceFromName } from './namespace.ts';
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
const longestWaitMs = 5 * 60_000;

/**
 * Connects what the configuration names (EXECUTOR_TOOL_SOURCES), one after the other; one that is wrong does not stop the others, and one
 * that does not answer yet is tried again, less and less often.
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
    some: Entry[],
    others: SourceProblem[],
    waitMs: number,
  ): Promise<SourceProblem[]> => {
    const problems = [...others, ...(await connectSome(some, initiator, dependencies))];
    problems.sort((one, other) => one.index - other.index);
    sources.setProblems(workspaceId, problems);
    const again = some.filter(({ index }) => problems.some((one) => one.index === index && one.retrying));
    if (again.length === 0) return problems;
    later(waitMs, dependencies, () => {
      const rest = problems.filter(({ retrying }) => !retrying);
      void attempt(again, rest, Math.min(waitMs * 2, longestWaitMs));
    });
    return problems;
  };
  const problems = await attempt(all, [], firstWaitMs);
  for (const problem of problems) onProblem('a configured source could not be connected', { ...problem });
  return problems;
}

async function connectSome(entries: Entry[], initiator: Initiator, parts: Parts): Promise<SourceProblem[]> {
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
        ...(mayPass(error) && { retrying: true }),
      });
    }
  }
  return problems;
}

/** Whether the other side may only not be there yet. */
function mayPass({ code, details = {} }: ExecutorError): boolean {
  if (code === 'unreachable') return details.code !== 'privateAddress' && details.code !== 'invalidRequest';
  const status = Number(details.status);
  return code === 'timeout' || code === 'databaseUnavailable' || status === 429 || status >= 500;
}

function later(waitMs: number, { clock, sources: { stopping } }: Dependencies, act: () => void): void {
  if (stopping.aborted) return;
  const callOff = clock.after(waitMs, () => {
    stopping.removeEventListener('abort', callOff);
    act();
  });
  stopping.addEventListener('abort', callOff, { once: true });
}

type Parts = Pick<Dependencies, 'store' | 'sources'>;

async function connectOne(entry: NewSource, initiator: Initiator, parts: Parts): Promise<void> {
  const namespace = entry.namespace ?? (entry.name && namespaceFromName(entry.name));
  // Of two servers that start at once, one finds the name taken, and not a free one beside it.
  const request = { ...entry, ...(namespace && { namespace }) };
  const there = await find(request, initiator, parts);
  if (there) return apply(request, there, initiator, parts);
  try {
    await parts.sources.ensureAs(initiator, request, { configured: appliedOf(request) });
  } catch (error) {
    const other = isConflict(error) ? await find(request, initiator, parts) : undefined;
    if (other === undefined) throw error;
    await apply(request, other, initiator, parts);
  }
}

async function find(
  request: NewSource,
  { principal }: Initiator,
  { store }: Parts,
): Promise<SourceRow | undefined> {
  const { namespace, url } = request;
  const rows = await store.sources.all(principal.workspaceId);
  if (namespace !== undefined) {
    const isFormer = ({ provenance }: SourceRow) => provenance.formerNamespaces?.includes(namespace) ?? false;
    return rows.find((row) => row.namespace === namespace) ?? rows.find(isFormer);
  }
  return rows.find((row) => (url === undefined ? isSameText(row, request) : isAt(row, url)));
}

/** What has been applied once is not applied again: what people changed since then stays. */
async function apply(
  request: NewSource,
  row: SourceRow,
  initiator: Initiator,
  { sources }: Parts,
): Promise<void> {
  const configured = appliedOf(request);
  const before = row.provenance.configured;
  if (before?.hash === configured.hash) return;
  const dropped = (before?.fields ?? []).filter((field) => !configured.fields.includes(field));
  const change = { ...asUsual(dropped), ...differenceOf(row, request) };
  takeAway(change, dropped);
  await sources.updateAs(initiator, row.id, change, { configured });
}

function appliedOf({ namespace: _, ...request }: NewSource): NonNullable<SourceProvenance['configured']> {
  const fields = Object.keys(request).sort();
  const hash = hashOf(JSON.stringify(fields.map((field) => [field, request[field as 'url']])));
  const schemes = request.auth?.type === 'schemes' ? Object.keys(request.auth.schemes) : [];
  const hasCertificate = request.auth !== undefined && 'certificate' in certificateOf(request.auth);
  const named = schemes.map((name) => `${ofScheme}${name}`);
  return { hash, fields: [...fields, ...named, ...(hasCertificate ? [ofCertificate] : [])] };
}

const ofScheme = 'auth.schemes.';
const ofCertificate = 'auth.certificate';

/** The schemes that the entry has a value for no more, where others still have theirs: a person may have set those that it never named. */
function takeAway(change: SourceChange, dropped: string[]): void {
  if (change.auth?.type !== 'schemes') return;
  const gone = dropped.filter((field) => field.startsWith(ofScheme));
  const nothing = gone.map((field) => [field.slice(ofScheme.length), null] as const);
  change.auth = {
    ...(dropped.includes(ofCertificate) && { certificate: null }),
    ...change.auth,
    schemes: { ...Object.fromEntries(nothing), ...change.auth.schemes },
  };
}

/** What a source is where nobody says otherwise. */
const usual = {
  auth: { type: 'none' },
  approval: { read: null, write: null },
  baseUrl: null,
  serverCa: null,
  timeoutMs: null,
  maxResponseBytes: null,
  serverVariables: {},
  headers: {},
  externalReferences: false,
  allowPrivateNetwork: null,
} satisfies SourceChange;

function asUsual(fields: string[]): SourceChange {
  return Object.fromEntries(Object.entries(usual).filter(([field]) => fields.includes(field)));
}

/** What the configuration says now and the source is not. */
function differenceOf(row: SourceRow, request: NewSource): SourceChange {
  const { kind: _, namespace: __, document, files, name, auth, approval, url, ...settings } = request;
  const change: Record<string, unknown> = {};
  const compare = (key: string, wanted: unknown, is: unknown) => {
    if (wanted !== undefined && !isDeepStrictEqual(wanted, is)) change[key] = wanted;
  };
  compare('name', name, row.name);
  compare('auth', auth, row.auth);
  const wanted = approval && { read: approval.read ?? null, write: approval.write ?? null };
  compare('approval', wanted, { read: null, write: null, ...row.approval });
  if (url !== undefined && !isAt(row, url)) change.url = url;
  for (const [key, value] of Object.entries(settings)) compare(key, value, row.settings[key]);
  if (document !== undefined && !isSameText(row, request))
    Object.assign(change, { document, ...(files && { files }) });
  return change as SourceChange;
}

function isAt({ settings, provenance }: SourceRow, url: string): boolean {
  return settings.url === url || provenance.url === url;
}

function isConflict(error: unknown): boolean {
  return error instanceof ExecutorError && error.code === 'conflict';
}

function nameOf(entry: unknown, index: number): string {
  const { name, namespace } = (entry ?? {}) as { name?: unknown; namespace?: unknown };
  const label = name ?? namespace;
  return typeof label === 'string' ? label : `entry ${index}`;
}
