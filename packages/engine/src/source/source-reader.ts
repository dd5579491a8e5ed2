import { gunzipSync } from 'node:zlib';
import { type DetectedSource, ExecutorError, type NewSource, type SourceAuth } from '@executor/protocol';
import { type Catalog, requireNamespace } from '../catalog/catalog.ts';
import { type PackedTools, renameTools, type ToolPack } from '../catalog/tool-pack.ts';
import { newId } from '../id.ts';
import type { LoadedSource, Source, SourceSettings, ToolRow } from '../ports/source.ts';
import type { SourceContent, SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import { type Acting, auditOf } from './acting.ts';
import { hashOf } from './document-hash.ts';
import { loadSource } from './load-source.ts';
import type { Loads } from './loads.ts';
import { freeNamespace, namespaceFromName, namespaceFromTitle, namespaceFromUrl } from './namespace.ts';
import { type IsPrivateUrl, isLoopback, privateByTyping } from './private-network.ts';
import { settingsOf } from './source-settings.ts';
import {
  countSuggestions,
  editsAfter,
  type ToolDifference,
  toolDifference,
  unseenAfter,
} from './tool-difference.ts';

interface Dependencies {
  store: Pick<Store, 'sources'>;
  catalog: Catalog;
  kinds: readonly Source[];
  loads: Loads;
  now: () => Date;
  isPrivateUrl: IsPrivateUrl;
}

interface Reading {
  before: SourceRow;
  /** As it is to be: with the next revision, and settings to read it with. */
  row: SourceRow;
  document?: string | undefined;
}

export interface Refreshed extends ToolDifference {
  row: SourceRow;
  unchanged: boolean;
}

const detectMs = 30_000;
const mostWarnings = 1_000;
const mostTries = 5;

/**
 * Reads what systems say of themselves, and keeps it: row and content together or nothing at all. A reading that fails leaves what was
 * there before.
 */
export class SourceReader {
  readonly #deps: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  async add(acting: Acting, request: NewSource): Promise<SourceRow> {
    const { catalog, loads, isPrivateUrl } = this.#deps;
    const { workspaceId } = acting.principal;
    const { url, document, namespace, auth = { type: 'none' } } = request;
    const source = this.#kind(request.kind);
    if (namespace !== undefined) requireFree(namespace, await catalog.namespaces(workspaceId));
    const settings = settingsOf(request);
    settings.allowPrivateNetwork = (await privateByTyping(request, isPrivateUrl)) ?? false;
    const provisional = namespace ?? provisionalNamespace(request);
    const subject = { workspaceId, namespace, name: request.name ?? url ?? 'a document' };
    return loads.run(subject, async ({ signal, onProgress }) => {
      const load = (place: SourceSettings) =>
        loadSource({
          source,
          settings: { ...place, ...(document !== undefined && { document }) },
          auth,
          context: { namespace: provisional, signal, onProgress },
        });
      const { loaded, settings: found } = await this.#loadOrFind(source, settings, load, signal);
      // What code hands over is not what a person has seen.
      const byPerson = acting.executionId === undefined && request.allowPrivateNetwork === undefined;
      if (document !== undefined && byPerson && isLoopback(loaded.baseUrl)) found.allowPrivateNetwork = true;
      onProgress({ stage: 'storing' });
      return this.#create(acting, { request, settings: found, auth, kind: source.kind, provisional, loaded });
    });
  }

  /** A source that was made by the same request: of that address or text, and under the name that it would get, or that with a number. */
  async findSame(
    workspaceId: string,
    { url, document, name, namespace }: NewSource,
  ): Promise<SourceRow | undefined> {
    const rows = await this.#deps.store.sources.all(workspaceId);
    const hash = document === undefined ? undefined : hashOf(document);
    const derived = name === undefined ? undefined : namespaceFromName(name);
    return rows.find((row) => {
      if (namespace !== undefined && row.namespace !== namespace) return false;
      const isNamed =
        derived === undefined || row.namespace.replace(/\d+$/, '') === derived.replace(/\d+$/, '');
      if (namespace === undefined && !isNamed) return false;
      return url === undefined ? row.document?.hash === hash : row.settings.url === url;
    });
  }

  async detect(workspaceId: string, url: string): Promise<DetectedSource> {
    const { kinds, catalog } = this.#deps;
    for (const source of kinds) {
      const found = await source.detect(url, AbortSignal.timeout(detectMs));
      if (found === undefined) continue;
      const { title, settings } = found;
      const place = typeof settings.url === 'string' ? settings.url : url;
      const name = displayName(title) ?? new URL(place).hostname;
      const wanted = (title && namespaceFromTitle(title)) ?? namespaceFromUrl(place) ?? 'api';
      const namespace = freeNamespace(wanted, await catalog.namespaces(workspaceId));
      return { kind: source.kind, url: place, name, namespace, ...(title !== undefined && { title }) };
    }
    throw new ExecutorError(
      'invalidRequest',
      `Behind ${url} is nothing that can be connected: no ${kinds.map(({ kind }) => kind).join(', ')} description was found there.`,
    );
  }

  async refresh(acting: Acting, before: SourceRow): Promise<Refreshed> {
    const row = { ...before, updatedAt: this.#deps.now() };
    return this.#read(acting, { before, row }, { mayBeSame: true });
  }

  /** Reads a source that is to be read otherwise than before. */
  async reload(acting: Acting, reading: Reading): Promise<Refreshed> {
    return this.#read(acting, reading, { mayBeSame: false });
  }

  #kind(kind: string | undefined): Source {
    const { kinds } = this.#deps;
    const source = kind === undefined ? kinds[0] : kinds.find((known) => known.kind === kind);
    if (source) return source;
    throw new ExecutorError(
      'invalidRequest',
      `kind: "${kind}" cannot be connected here; known: ${kinds.map((known) => known.kind).join(', ') || 'none'}.`,
    );
  }

  /** What was typed need not be the document itself, but a page that leads to it. */
  async #loadOrFind(
    source: Source,
    settings: SourceSettings,
    load: (settings: SourceSettings) => Promise<LoadedSource>,
    signal: AbortSignal,
  ): Promise<{ loaded: LoadedSource; settings: SourceSettings }> {
    const { url } = settings;
    try {
      return { loaded: await load(settings), settings };
    } catch (error) {
      if (typeof url !== 'string' || !isWrongDocument(error)) throw error;
      const found = await source.detect(url, AbortSignal.any([signal, AbortSignal.timeout(detectMs)]));
      if (typeof found?.settings.url !== 'string' || found.settings.url === url) throw error;
      // A page may lead anywhere; an address at which nothing is leads to what is below it, and to nothing else.
      const isDead = (error as ExecutorError).details?.status !== undefined;
      if (isDead && !found.settings.url.startsWith(url.replace(/\/?$/, '/'))) throw error;
      const elsewhere = { ...settings, url: found.settings.url };
      return { loaded: await load(elsewhere), settings: elsewhere };
    }
  }

  async #create(acting: Acting, making: Making): Promise<SourceRow> {
    const { store, catalog, now } = this.#deps;
    const { request, loaded, provisional } = making;
    const { workspaceId } = acting.principal;
    const wanted = request.namespace ?? derivedNamespace(request, loaded) ?? provisional;
    for (let tries = 0; tries < mostTries; tries++) {
      const taken = await catalog.namespaces(workspaceId);
      if (request.namespace !== undefined) requireFree(wanted, taken);
      const namespace = freeNamespace(wanted, taken);
      const tools = await renameTools(loaded.tools, provisional, namespace);
      const pack = await catalog.openPack(tools);
      requireNamespace(namespace, pack);
      const row = newRow(acting, making, { namespace, pack, at: now() });
      const audit = auditOf(acting, row.createdAt, {
        action: 'source.added',
        target: row.id,
        details: told(row),
      });
      if (await store.sources.create(row, contentOf(tools, loaded), audit)) {
        await catalog.adopt(row, pack);
        return row;
      }
      catalog.forget(workspaceId);
    }
    throw taken(wanted);
  }

  async #read(
    acting: Acting,
    { before, row, document }: Reading,
    { mayBeSame }: { mayBeSame: boolean },
  ): Promise<Refreshed> {
    const { catalog, loads } = this.#deps;
    const { workspaceId, namespace, name } = before;
    const source = this.#kind(before.kind);
    return loads.run({ workspaceId, namespace, name }, async ({ signal, onProgress }) => {
      const opened = await catalog.source(workspaceId, namespace, { fresh: true });
      const previous = [...(opened?.pack.rows() ?? [])];
      const given = document ?? (row.settings.url === undefined ? await this.#storedText(before) : undefined);
      const loaded = await loadSource({
        source,
        settings: { ...row.settings, ...(given !== undefined && { document: given }) },
        auth: row.auth,
        context: { namespace, signal, onProgress, previous },
      });
      onProgress({ stage: 'storing' });
      const isSame = loaded.document !== undefined && loaded.document.hash === before.document?.hash;
      if (mayBeSame && isSame) return { row: before, unchanged: true, added: [], changed: [], removed: [] };
      const difference = await this.#replace(acting, { before, row }, loaded, { isRefresh: mayBeSame });
      return { ...difference, unchanged: isSame };
    });
  }

  /** Others may have changed the row while its document was read: what they said is kept. */
  async #replace(
    acting: Acting,
    { before, row }: Pick<Reading, 'before' | 'row'>,
    loaded: LoadedSource,
    { isRefresh }: { isRefresh: boolean },
  ): Promise<Omit<Refreshed, 'unchanged'>> {
    const { store, catalog, now } = this.#deps;
    const pack = await catalog.openPack(loaded.tools);
    requireNamespace(before.namespace, pack);
    for (let tries = 0; tries < mostTries; tries++) {
      const current = await store.sources.find(before.workspaceId, before.id);
      if (current === undefined) throw gone(before.namespace);
      const rows = await this.#rowsOf(current);
      const difference = toolDifference(rows, rowsByPath(pack));
      const wanted = { ...current, ...ownChanges(before, row) };
      const next: SourceRow = {
        ...wanted,
        ...loadedFields(loaded, pack, { current: wanted, before: rows, isRefresh }),
        contentId: newId('con', now()),
        revision: current.revision + 1,
        updatedAt: now(),
        loadedAt: now(),
      };
      const details = { ...told(next), ...countsOf(difference), unseen: next.unseen.length };
      const audit = auditOf(acting, next.updatedAt, { action: 'source.refreshed', target: next.id, details });
      if (await store.sources.replace(next, contentOf(loaded.tools, loaded), audit)) {
        await catalog.adopt(next, pack);
        return { row: next, ...difference };
      }
    }
    throw new ExecutorError(
      'conflict',
      `The source ${before.namespace} is being changed by others. Try again.`,
    );
  }

  async #rowsOf({ workspaceId, namespace }: SourceRow): Promise<Map<string, ToolRow>> {
    const opened = await this.#deps.catalog.source(workspaceId, namespace, { fresh: true });
    return opened ? rowsByPath(opened.pack) : new Map();
  }

  /** Of a source that was made from a text, which is read again as it was. */
  async #storedText({ contentId }: SourceRow): Promise<string> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#deps.store.sources.readDocument(contentId)) pieces.push(piece);
    return gunzipSync(Buffer.concat(pieces)).toString();
  }
}

interface Making {
  request: NewSource;
  settings: SourceSettings;
  auth: SourceAuth;
  kind: string;
  /** What it was loaded as. */
  provisional: string;
  loaded: LoadedSource;
}

function newRow(
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

function loadedFields(
  loaded: LoadedSource,
  pack: ToolPack,
  { current, before, isRefresh }: { current: SourceRow; before: Map<string, ToolRow>; isRefresh: boolean },
): Partial<SourceRow> {
  const after = rowsByPath(pack);
  const edits = editsAfter(current.edits, after);
  // Where calls go decides who gets the credentials: that may change by a person's word, not by a document's.
  const goesElsewhere =
    isRefresh &&
    current.settings.baseUrl === undefined &&
    originOf(loaded.baseUrl) !== originOf(current.baseUrl ?? undefined);
  return {
    ...described(loaded, pack),
    edits,
    unseen: unseenAfter(current, before, after, { goesElsewhere }),
    suggestionCount: countSuggestions(pack.rows(), edits),
  };
}

/** What whoever reads it again has changed of the row. */
function ownChanges(before: SourceRow, row: SourceRow): Partial<SourceRow> {
  const keys = ['name', 'settings', 'auth', 'authId', 'approval', 'edits', 'unseen'] as const;
  return Object.fromEntries(keys.filter((key) => row[key] !== before[key]).map((key) => [key, row[key]]));
}

function contentOf(tools: PackedTools, { document }: LoadedSource): SourceContent {
  return { tools, document: document?.pieces ?? [] };
}

function rowsByPath(pack: ToolPack): Map<string, ToolRow> {
  return new Map([...pack.rows()].map((row) => [row.path, row]));
}

/** What the audit tells of a source. */
function told({ namespace, kind, settings, toolCount, auth }: SourceRow): Record<string, unknown> {
  const { url, baseUrl, allowPrivateNetwork } = settings;
  return { namespace, kind, url, baseUrl, allowPrivateNetwork, toolCount, auth: auth.type };
}

function countsOf({ added, changed, removed }: ToolDifference): Record<string, number> {
  return { added: added.length, changed: changed.length, removed: removed.length };
}

function originOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : url;
}

function provisionalNamespace({ name, url }: NewSource): string {
  return (name && namespaceFromName(name)) ?? (url && namespaceFromUrl(url)) ?? 'api';
}

function derivedNamespace({ name, url }: NewSource, { title }: LoadedSource): string | undefined {
  return (
    (name && namespaceFromName(name)) ||
    (title && namespaceFromTitle(title)) ||
    (url && namespaceFromUrl(url)) ||
    undefined
  );
}

/** One line that is safe to print. */
function displayName(title: string | undefined): string | undefined {
  const name = title
    ?.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .trim();
  return name || undefined;
}

/** Something is there, but it is not the document; where nothing answers there is no point in looking around. */
function isWrongDocument(error: unknown): boolean {
  return (
    error instanceof ExecutorError && error.code === 'invalidRequest' && error.details?.code === undefined
  );
}

function requireFree(namespace: string, names: readonly string[]): void {
  if (names.includes(namespace)) throw taken(namespace);
}

function taken(namespace: string): ExecutorError {
  return new ExecutorError(
    'conflict',
    `The namespace "${namespace}" is taken: tools.${namespace} is another source. Choose another one, or remove that one first.`,
    { details: { namespace } },
  );
}

function gone(namespace: string): ExecutorError {
  return new ExecutorError('gone', `The source ${namespace} was removed while its document was read.`);
}
