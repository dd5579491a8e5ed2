import { isDeepStrictEqual } from 'node:util';
import type { ClientCertificate, SourceApproval, SourceAuth } from '@executor/protocol';
import { schemesOf } from '../auth/schemes-of.ts';
import type { SourceSettings } from '../ports/source.ts';
import type { SourceProvenance, SourceRow } from '../ports/source-store.ts';
import { changesReach, reachProvenanceAfter, settingsWithReach } from './network/network-reach.ts';
import { type ChangeRequest, changedSettings } from './source-request.ts';
import { shownUrls } from './url-secrets.ts';

export function provenanceAfter(before: SourceProvenance, change: ChangeRequest): SourceProvenance {
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
  change: ChangeRequest,
  provenance: SourceProvenance,
): SourceSettings {
  const settings = changedSettings(before, change);
  return changesReach(change) ? settingsWithReach({ settings, provenance, baseUrl }) : settings;
}

/** The credentials after a change. Values for single schemes are merged into the existing ones. */
export function authAfter(
  { auth: before, security }: Pick<SourceRow, 'auth' | 'security'>,
  auth: ChangeRequest['auth'],
): SourceAuth {
  if (auth === undefined) return before;
  if (auth.type !== 'schemes') return withCertificate(auth, null);
  const existing = schemesOf(before, security);
  const values = Object.entries({ ...existing.schemes, ...auth.schemes });
  const schemes = Object.fromEntries(
    values.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  );
  const unnamed = (['headers', 'query', 'cookies'] as const).flatMap((part) => {
    const all = { ...existing[part], ...auth[part] };
    return Object.keys(all).length > 0 ? [[part, all] as const] : [];
  });
  const merged = { type: 'schemes' as const, schemes, ...Object.fromEntries(unnamed) };
  const after = withCertificate({ ...merged, certificate: auth.certificate }, existing.certificate ?? null);
  const isEmpty = unnamed.length === 0 && Object.keys(schemes).length === 0;
  return isEmpty && !('certificate' in after) ? { type: 'none' } : after;
}

type NewAuth = Exclude<NonNullable<ChangeRequest['auth']>, { type: 'schemes' }> | SchemesAuth;
type SchemesAuth = Omit<SourceAuth & { type: 'schemes' }, 'certificate'> & {
  certificate?: ClientCertificate | null | undefined;
};

/** Null removes the certificate. Undefined keeps the existing one. */
function withCertificate(auth: NewAuth, existing: ClientCertificate | null): SourceAuth {
  if (auth.type === 'none') return auth;
  const { certificate: change, ...others } = auth;
  const certificate = change === undefined ? existing : change;
  return certificate === null ? others : { ...others, certificate };
}

/** Changes each decision separately. Null restores the default. */
export function approvalAfter(before: SourceApproval, change: ChangeRequest['approval']): SourceApproval {
  if (change === undefined) return before;
  const merged = Object.entries({ ...before, ...change }).filter(([, decision]) => decision != null);
  return Object.fromEntries(merged) as SourceApproval;
}

/** The details of a change in an audit entry. */
export function changeDetails(before: SourceRow, row: SourceRow, changed: string[]): Record<string, unknown> {
  const { allowPrivateNetwork, allowThisMachine } = row.settings;
  const { namespace, approval } = row;
  return {
    namespace,
    changed,
    ...shownUrls(row.settings),
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
