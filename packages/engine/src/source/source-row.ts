import { isDeepStrictEqual } from 'node:util';
import type { NewSource, SourceAuth } from '@executor/protocol';
import type { ToolPack } from '../catalog/tool-pack.ts';
import { newId } from '../id.ts';
import type { LoadedSource, SourceSettings, ToolRow } from '../ports/source.ts';
import type { SourceProvenance, SourceRow } from '../ports/source-store.ts';
import { callOrigins, originOf, originOfCalls, shownOrigins } from './call-origins.ts';
import { keptDocument } from './document/source-files.ts';
import type { Initiator } from './initiator.ts';
import { countSuggestions, editsAfter, unseenAfter } from './tool/tool-difference.ts';

const maxWarnings = 1_000;

/** A source that is about to be. */
export interface Making {
  request: NewSource;
  settings: SourceSettings;
  provenance: SourceProvenance;
  auth: SourceAuth;
  kind: string;
  /** What it was loaded as. */
  provisional: string;
  loaded: LoadedSource;
  once: boolean;
}

export function newRow(
  { principal }: Initiator,
  { request, settings, provenance, auth, kind, loaded }: Making,
  { namespace, pack, at }: { namespace: string; pack: ToolPack; at: Date },
): SourceRow {
  return {
    id: newId('src', at),
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

interface Reread {
  loaded: LoadedSource;
  pack: ToolPack;
  /** The source as it is now, and its tools. */
  current: SourceRow;
  before: ReadonlyMap<string, ToolRow>;
  at: Date;
}

/** A source after its document was read again, with what whoever had it read has changed of it. */
export function rereadRow(wanted: SourceRow, { loaded, pack, current, before, at }: Reread): SourceRow {
  const after = rowsByPath(pack);
  const edits = editsAfter(wanted.edits, after);
  const { settings } = wanted;
  const place = { settings, baseUrl: loaded.baseUrl };
  // Where calls go decides who gets the credentials: that may change by a person's word, not by a document's.
  const knownOrigins = callOrigins(current, before.values());
  if (typeof settings.baseUrl === 'string') knownOrigins.add(originOf(settings.baseUrl) ?? '');
  if (isOtherByWord(settings, loaded, current))
    for (const origin of callOrigins(place, after.values())) knownOrigins.add(origin);
  return {
    ...wanted,
    ...described(loaded, settings, pack),
    edits,
    unseen: unseenAfter(wanted, before, after, {
      goesTo: (row) => originOfCalls(place, row),
      knownOrigins,
    }),
    suggestionCount: countSuggestions(pack.rows(), edits),
    contentId: newId('con', at),
    revision: current.revision + 1,
    updatedAt: at,
    loadedAt: at,
  };
}

/** The text is the same as before, so that nothing but what a person has put for its variables has changed where calls go. */
function isOtherByWord(settings: SourceSettings, loaded: LoadedSource, current: SourceRow): boolean {
  const isSame = loaded.document !== undefined && isDeepStrictEqual(keptDocument(loaded), current.document);
  return isSame && !isDeepStrictEqual(settings.serverVariables, current.settings.serverVariables);
}

/** What its system says of it. */
export function described(loaded: LoadedSource, settings: SourceSettings, pack: ToolPack) {
  const { title, baseUrl, security, warnings } = loaded;
  return {
    title: title ?? null,
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
  const { url, baseUrl, allowPrivateNetwork, allowThisMachine } = settings;
  const reach = { allowPrivateNetwork, allowThisMachine };
  return { namespace, kind, url, baseUrl, ...reach, toolCount, auth: auth.type };
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
