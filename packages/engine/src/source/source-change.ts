import { isDeepStrictEqual } from 'node:util';
import type { ClientCertificate, SourceApproval, SourceAuth, SourceChange } from '@executor/protocol';
import { schemesOf } from '../auth/schemes-of.ts';
import type { SourceSettings } from '../ports/source.ts';
import type { SourceProvenance, SourceRow } from '../ports/source-store.ts';
import { changesReach, reachProvenanceAfter, settingsWithReach } from './network/network-reach.ts';
import { changedSettings } from './source-settings.ts';

export function provenanceAfter(before: SourceProvenance, change: SourceChange): SourceProvenance {
  const { url: typedUrl, privateNetwork: _, handedOver: __, ...others } = before;
  // The typed URL led to the document that the change replaces.
  const isSameDocument = change.url === undefined && change.document === undefined;
  return {
    ...others,
    ...(typedUrl !== undefined && isSameDocument && { url: typedUrl }),
    ...reachProvenanceAfter(before, change),
  };
}

export function settingsAfter(
  { settings: before, baseUrl }: SourceRow,
  change: SourceChange,
  provenance: SourceProvenance,
): SourceSettings {
  const settings = changedSettings(before, change);
  return changesReach(change) ? settingsWithReach({ settings, provenance, baseUrl }) : settings;
}

/** The values of single schemes are set beside what is there: what is for none by name stays. */
export function authAfter(
  { auth: before, security }: Pick<SourceRow, 'auth' | 'security'>,
  auth: SourceChange['auth'],
): SourceAuth {
  if (auth === undefined) return before;
  if (auth.type !== 'schemes') return withCertificate(auth, null);
  const there = schemesOf(before, security);
  const values = Object.entries({ ...there.schemes, ...auth.schemes });
  const schemes = Object.fromEntries(
    values.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  );
  const beside = (['headers', 'query', 'cookies'] as const).flatMap((place) => {
    const all = { ...there[place], ...auth[place] };
    return Object.keys(all).length > 0 ? [[place, all] as const] : [];
  });
  const merged = { type: 'schemes' as const, schemes, ...Object.fromEntries(beside) };
  const after = withCertificate({ ...merged, certificate: auth.certificate }, there.certificate ?? null);
  const isNothing = beside.length === 0 && Object.keys(schemes).length === 0;
  return isNothing && !('certificate' in after) ? { type: 'none' } : after;
}

type NewAuth = Exclude<NonNullable<SourceChange['auth']>, { type: 'schemes' }> | Named;
type Named = Omit<SourceAuth & { type: 'schemes' }, 'certificate'> & {
  certificate?: ClientCertificate | null | undefined;
};

/** Null is none; where nothing is said of it, it is the one that is there. */
function withCertificate(auth: NewAuth, there: ClientCertificate | null): SourceAuth {
  if (auth.type === 'none') return auth;
  const { certificate: change, ...rest } = auth;
  const certificate = change === undefined ? there : change;
  return certificate === null ? rest : { ...rest, certificate };
}

/** Each by itself; null is what is usual. */
export function approvalAfter(before: SourceApproval, change: SourceChange['approval']): SourceApproval {
  if (change === undefined) return before;
  const merged = Object.entries({ ...before, ...change }).filter(([, when]) => when != null);
  return Object.fromEntries(merged) as SourceApproval;
}

/** The details of a change in an audit entry. */
export function changeDetails(before: SourceRow, row: SourceRow, changed: string[]): Record<string, unknown> {
  const { url, baseUrl, allowPrivateNetwork, allowThisMachine } = row.settings;
  const { namespace, approval } = row;
  return {
    namespace,
    changed,
    url,
    baseUrl,
    allowPrivateNetwork,
    allowThisMachine,
    approval,
    edits: changedEdits(before, row),
  };
}

const maxEdits = 100;

function changedEdits(
  { edits: before }: SourceRow,
  { edits }: SourceRow,
): Record<string, unknown> | undefined {
  const paths = new Set([...Object.keys(before), ...Object.keys(edits)]);
  const changed = [...paths].filter((path) => !isDeepStrictEqual(before[path], edits[path]));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.slice(0, maxEdits).map((path) => [path, edits[path] ?? null]));
}
