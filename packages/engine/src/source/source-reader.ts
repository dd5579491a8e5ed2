import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type DetectedSource, ExecutorError, type NewSource } from '@executor/protocol';
import { type Catalog, requireNamespace } from '../catalog/catalog.ts';
import { type PackedTools, renameTools } from '../catalog/tool-pack.ts';
import type { LoadedSource, Source, SourceSettings, ToolRow } from '../ports/source.ts';
import type { SourceContent, SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import { type Acting, auditOf } from './acting.ts';
import { hashOf } from './document-hash.ts';
import { loadSource, loadTyped } from './load-source.ts';
import type { Loads } from './loads.ts';
import {
  derivedNamespace,
  freeNamespace,
  namespaceFromName,
  namespaceFromTitle,
  namespaceFromUrl,
  provisionalNamespace,
  requireFree,
  taken,
} from './namespace.ts';
import { type IsPrivateUrl, isLoopback, privateByTyping } from './private-network.ts';
import { displayName, type Making, newRow, ownChanges, rereadRow, rowsByPath, told } from './source-row.ts';
import { settingsOf } from './source-settings.ts';
import { type ToolDifference, toolDifference } from './tool-difference.ts';

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
const mostTries = 5;
const inflate = promisify(gunzip);

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
      const typed = { ...settings, ...(document !== undefined && { document }) };
      const context = { namespace: provisional, signal, onProgress };
      const { loaded, settings: found } = await loadTyped({ source, settings: typed, auth, context });
      const kept: SourceSettings = { ...settings, ...(found.url !== undefined && { url: found.url }) };
      // What code hands over is not what a person has seen.
      const byPerson = acting.executionId === undefined && request.allowPrivateNetwork === undefined;
      if (document !== undefined && byPerson && isLoopback(loaded.baseUrl)) kept.allowPrivateNetwork = true;
      onProgress({ stage: 'storing' });
      return this.#create(acting, { request, settings: kept, auth, kind: source.kind, provisional, loaded });
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
      'unusableDocument',
      `Behind ${url} is nothing that can be connected: no ${kinds.map(({ kind }) => kind).join(', ')} description was found there.`,
    );
  }

  /** A text that was handed over stays what it is. */
  async refresh(acting: Acting, before: SourceRow): Promise<Refreshed> {
    if (before.settings.url === undefined && before.document) return unchanged(before);
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

  async #create(acting: Acting, making: Making): Promise<SourceRow> {
    const { store, catalog, now } = this.#deps;
    const { request, loaded, provisional } = making;
    const { workspaceId } = acting.principal;
    const wanted = request.namespace ?? derivedNamespace(request, loaded.title) ?? provisional;
    for (let tries = 0; tries < mostTries; tries++) {
      const names = await catalog.namespaces(workspaceId);
      if (request.namespace !== undefined) requireFree(wanted, names);
      const namespace = freeNamespace(wanted, names);
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
        catalog.adopt(row, pack);
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
      if (mayBeSame && isSame) return unchanged(before);
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
      const next = rereadRow(wanted, { loaded, pack, before: rows, isRefresh, at: now() });
      const details = { ...told(next), ...countsOf(difference), unseen: next.unseen.length };
      const audit = auditOf(acting, next.updatedAt, { action: 'source.refreshed', target: next.id, details });
      if (await store.sources.replace(next, contentOf(loaded.tools, loaded), audit)) {
        catalog.adopt(next, pack);
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
    return (await inflate(Buffer.concat(pieces))).toString();
  }
}

function contentOf(tools: PackedTools, { document }: LoadedSource): SourceContent {
  return { tools, document: document?.pieces ?? [] };
}

function unchanged(row: SourceRow): Refreshed {
  return { row, unchanged: true, added: [], changed: [], removed: [] };
}

function countsOf({ added, changed, removed }: ToolDifference): Record<string, number> {
  return { added: added.length, changed: changed.length, removed: removed.length };
}

function gone(namespace: string): ExecutorError {
  return new ExecutorError('gone', `The source ${namespace} was removed while its document was read.`);
}
