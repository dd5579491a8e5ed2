import type { NewSource, SourceAuth } from '@executor/protocol';
import type { ToolPack } from '../catalog/tool-pack.ts';
import { newId } from '../id.ts';
import type { LoadedSource, SourceSettings, ToolRow } from '../ports/source.ts';
import type { SourceRow } from '../ports/source-store.ts';
import type { Acting } from './acting.ts';
import { countSuggestions, editsAfter, unseenAfter } from './tool-difference.ts';

const mostWarnings = 1_000;

/** A source that is about to be. */
export interface Making {
  request: NewSource;
  settings: SourceSettings;
  auth: SourceAuth;
  kind: string;
  /** What it was loaded as. */
  provisional: string;
  loaded: LoadedSource;
}

export function newRow(
  { principal }: Acting,
  { request, settings, auth, kind, loaded }: Making,
  { namespace, pack, at }: { namespace: string; pack: ToolPack; at: Date },
): SourceRow {
  return {
    id: newId('src', at),
    workspaceId: principal.workspaceId,
    namespace,
    kind,
    name: request.name ?? displayName(loaded.title) ?? namespace,
    settings,
    auth,
    authId: newId('ath', at),
    approval: request.approval ?? {},
    edits: {},
    unseen: [],
    ...described(loaded, pack),
    suggestionCount: countSuggestions(pack.rows(), {}),
    contentId: newId('con', at),
    revision: 1,
    createdBy: principal.actorId,
    createdAt: at,
    updatedAt: at,
    loadedAt: at,
  };
}

interface Reread {
  loaded: LoadedSource;
  pack: ToolPack;
  /** The tools as they are now. */
  before: ReadonlyMap<string, ToolRow>;
  isRefresh: boolean;
  at: Date;
}

/** A source after its document was read again. */
export function rereadRow(current: SourceRow, { loaded, pack, before, isRefresh, at }: Reread): SourceRow {
  const after = rowsByPath(pack);
  const edits = editsAfter(current.edits, after);
  // Where calls go decides who gets the credentials: that may change by a person's word, not by a document's.
  const goesElsewhere =
    isRefresh &&
    current.settings.baseUrl === undefined &&
    originOf(loaded.baseUrl) !== originOf(current.baseUrl ?? undefined);
  return {
    ...current,
    ...described(loaded, pack),
    edits,
    unseen: unseenAfter(current, before, after, { goesElsewhere }),
    suggestionCount: countSuggestions(pack.rows(), edits),
    contentId: newId('con', at),
    revision: current.revision + 1,
    updatedAt: at,
    loadedAt: at,
  };
}

/** What its system says of it. */
function described({ title, baseUrl, security, warnings, document }: LoadedSource, pack: ToolPack) {
  return {
    title: title ?? null,
    baseUrl: baseUrl ?? null,
    security: security ?? [],
    warnings: warnings.slice(0, mostWarnings),
    toolCount: pack.size,
    document: document ? { mediaType: document.mediaType, bytes: document.bytes, hash: document.hash } : null,
  };
}

/** What whoever reads it again has changed of the row. */
export function ownChanges(before: SourceRow, row: SourceRow): Partial<SourceRow> {
  const keys = ['name', 'settings', 'auth', 'authId', 'approval', 'edits', 'unseen'] as const;
  return Object.fromEntries(keys.filter((key) => row[key] !== before[key]).map((key) => [key, row[key]]));
}

export function rowsByPath(pack: ToolPack): Map<string, ToolRow> {
  return new Map([...pack.rows()].map((row) => [row.path, row]));
}

/** What the audit tells of a source. */
export function told({ namespace, kind, settings, toolCount, auth }: SourceRow): Record<string, unknown> {
  const { url, baseUrl, allowPrivateNetwork } = settings;
  return { namespace, kind, url, baseUrl, allowPrivateNetwork, toolCount, auth: auth.type };
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : url;
}

/** One line that is safe to print. */
export function displayName(title: string | undefined): string | undefined {
  const name = title
    ?.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .trim();
  return name || undefined;
}
