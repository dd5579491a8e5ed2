import { isDeepStrictEqual } from 'node:util';
import type { SourceAuth } from '@executor/protocol';
import type { ToolPack } from '../catalog/tool-pack.ts';
import { newId } from '../id.ts';
import type { LoadedSource, Source, SourceSettings, ToolRow } from '../ports/source.ts';
import type { SourceProvenance, SourceRow } from '../ports/source-store.ts';
import { callOrigins, originOf, originOfCalls, shownOrigins } from './call-origins.ts';
import { keptDocument } from './document/source-files.ts';
import type { Initiator } from './initiator.ts';
import type { SourceRequest } from './source-request.ts';
import { countSuggestions, editsAfter, unseenAfter } from './tool/tool-difference.ts';
import { shownUrls } from './url-secrets.ts';

const maxWarnings = 1_000;
const maxDescriptionChars = 8_000;

/** A source that was loaded and is about to be stored. */
export interface UnsavedSource {
  sourceId: string;
  request: SourceRequest;
  settings: SourceSettings;
  provenance: SourceProvenance;
  auth: SourceAuth;
  kind: string;
  /** The namespace that it was loaded with. */
  provisional: string;
  loaded: LoadedSource;
  once: boolean;
}

export function newRow(
  { principal }: Initiator,
  { sourceId, request, settings, provenance, auth, kind, loaded }: UnsavedSource,
  { namespace, pack, at }: { namespace: string; pack: ToolPack; at: Date },
): SourceRow {
  return {
    id: sourceId,
    workspaceId: principal.workspaceId,
    namespace,
    kind,
    name: request.name ?? displayName(loaded.title) ?? namespace,
    settings,
    provenance,
    auth,
    authId: newId('ath', at),
    approval: request.approval ?? {},
    edits: {},
    unseen: [],
    ...described(loaded, settings, pack),
    suggestionCount: countSuggestions(pack.rows(), {}),
    contentId: newId('con', at),
    revision: 1,
    createdBy: principal.actorId,
    createdAt: at,
    updatedAt: at,
    loadedAt: at,
  };
}

interface NewContent {
  source: Source;
  loaded: LoadedSource;
  pack: ToolPack;
  /** The stored source and its tools. */
  current: SourceRow;
  before: ReadonlyMap<string, ToolRow>;
  at: Date;
}

/** A source after its document was read again. `changed` is the source with the changes that caused the reading. */
export function rereadRow(
  changed: SourceRow,
  { source, loaded, pack, current, before, at }: NewContent,
): SourceRow {
  const after = rowsByPath(pack);
  const edits = editsAfter(changed.edits, after);
  const { settings } = changed;
  const base = { settings, baseUrl: loaded.baseUrl };
  // The origin of calls decides who gets the credentials. A user may change it, a document may not.
  const knownOrigins = callOrigins(current, before.values());
  if (typeof settings.baseUrl === 'string') knownOrigins.add(originOf(settings.baseUrl) ?? '');
  const isSameDocument = isDeepStrictEqual(keptDocument(loaded), current.document);
  if (isSameDocument && source.movesCalls?.(current.settings, settings))
    for (const origin of callOrigins(base, after.values())) knownOrigins.add(origin);
  return {
    ...changed,
    ...described(loaded, settings, pack),
    edits,
    unseen: unseenAfter(changed, before, after, {
      targetOf: (row) => originOfCalls(base, row),
      knownOrigins,
    }),
    suggestionCount: countSuggestions(pack.rows(), edits),
    contentId: newId('con', at),
    revision: current.revision + 1,
    updatedAt: at,
    loadedAt: at,
  };
}

/** The part of a row that comes from the document. */
export function described(loaded: LoadedSource, settings: SourceSettings, pack: ToolPack) {
  const { title, description, baseUrl, security, warnings } = loaded;
  return {
    title: title ?? null,
    description: description?.slice(0, maxDescriptionChars) ?? null,
    baseUrl: baseUrl ?? null,
    origins: shownOrigins({ settings, baseUrl }, pack.rows()),
    security: security ?? [],
    warnings: warnings.slice(0, maxWarnings),
    toolCount: pack.size,
    document: keptDocument(loaded),
  };
}

export function rowsByPath(pack: ToolPack): Map<string, ToolRow> {
  return new Map([...pack.rows()].map((row) => [row.path, row]));
}

/** The details of a source in an audit entry. */
export function auditDetails({
  namespace,
  kind,
  settings,
  toolCount,
  auth,
}: SourceRow): Record<string, unknown> {
  const { allowPrivateNetwork, allowThisMachine } = settings;
  const reach = { allowPrivateNetwork, allowThisMachine };
  return { namespace, kind, ...shownUrls(settings), ...reach, toolCount, auth: auth.type };
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
