import { isDeepStrictEqual } from 'node:util';
import { type DocumentFiles, ExecutorError } from '@executor/protocol';
import { requireConnectable } from '../auth/client-certificate.ts';
import { type Catalog, requireNamespace } from '../catalog/catalog.ts';
import { isSamePack, renameTools, shortenPaths, type ToolPack } from '../catalog/tool-pack.ts';
import { newId } from '../id.ts';
import type {
  LoadContext,
  LoadedSource,
  PackedTools,
  Source,
  SourceSettings,
  ToolRow,
} from '../ports/source.ts';
import type { SourceContent, SourceProvenance, SourceRow } from '../ports/source-store.ts';
import type { Store } from '../ports/store.ts';
import { requireKnownSchemes } from './document/known-schemes.ts';
import { loadSource, loadTyped } from './document/load-source.ts';
import type { Loads } from './document/loads.ts';
import { isSameRequest, keptDocument, storedText } from './document/source-files.ts';
import { auditOf, type Initiator } from './initiator.ts';
import { kindOf, kindsFor } from './kinds.ts';
import {
  derivedNamespace,
  freeNamespace,
  namespaceFromName,
  provisionalNamespace,
  requireFree,
  taken,
} from './namespace.ts';
import {
  mayReachPrivateNetwork,
  reachAfterReading,
  reachProvenance,
  settingsWithReach,
} from './network/network-reach.ts';
import { type ChangeRequest, enteredSettings, type SourceRequest, settingsOf } from './source-request.ts';
import { auditDetails, described, newRow, rereadRow, rowsByPath, type UnsavedSource } from './source-row.ts';
import { type ToolDifference, toolDifference } from './tool/tool-difference.ts';

interface Dependencies {
  store: Pick<Store, 'sources'>;
  catalog: Catalog;
  kinds: readonly Source[];
  loads: Loads;
  now: () => Date;
}

/** How to read the document of a source again. */
interface ReadRequest {
  /** Applies the change that caused the reading to the current row, which others may have changed meanwhile. */
  apply(current: SourceRow): Promise<SourceRow>;
  document?: string | undefined;
  files?: DocumentFiles | undefined;
  /** The change whose names must exist in the description. */
  change?: ChangeRequest;
  /** Audit details in addition to those of the document. */
  auditDetails?(current: SourceRow, next: SourceRow): Record<string, unknown>;
}

interface Replacement extends ReadRequest {
  before: SourceRow;
  /** The row whose settings the document was read with. */
  row: SourceRow;
  source: Source;
  loaded: LoadedSource;
  pack: ToolPack;
  /** Whether nothing is written if nothing has changed. */
  mayBeSame: boolean;
}

export interface AddOptions {
  once?: boolean;
  provenance?: SourceProvenance;
}

export interface Refreshed extends ToolDifference {
  row: SourceRow;
  unchanged: boolean;
}

const maxTries = 5;

/** Reads the descriptions of systems and stores row and content in one transaction. A failed read changes nothing. */
export class SourceReader {
  readonly #deps: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  /** With `once`, returns the source that another process has made from the same request meanwhile, instead of adding a second one. */
  async add(
    initiator: Initiator,
    request: SourceRequest,
    { once = false, provenance = {} }: AddOptions = {},
  ): Promise<SourceRow> {
    const { loads } = this.#deps;
    const { workspaceId } = initiator.principal;
    const { url, namespace, auth = { type: 'none' } } = request;
    const kinds = await this.requireAddable(workspaceId, request, {
      byCode: initiator.executionId !== undefined,
    });
    const sourceId = newId('src', this.#deps.now());
    const settings = settingsOf(request);
    settings.allowPrivateNetwork = mayReachPrivateNetwork(request);
    const provisional = namespace ?? provisionalNamespace(request);
    const subject = { workspaceId, namespace, name: request.name ?? url ?? subjectOf(request) };
    const add = loads.run(subject, async ({ signal, onProgress }) => {
      const entered = enteredSettings(request);
      const {
        source,
        loaded,
        settings: found,
      } = await loadTyped(kinds, {
        settings: { ...settings, ...entered },
        auth,
        typedUrl: url,
        callBaseUrl: request.baseUrl,
        context: { sourceId, namespace: provisional, entered, signal, onProgress },
      });
      requireKnownSchemes(request, loaded);
      onProgress({ stage: 'storing' });
      const known: SourceProvenance = {
        ...provenance,
        ...(url !== undefined && found.url !== url && { url }),
        ...reachProvenance(initiator, request),
        ...(isUnconfirmed(initiator, request) && { unconfirmedName: true }),
      };
      const kept = settingsWithReach({
        provenance: known,
        settings: { ...settings, ...(found.url !== undefined && { url: found.url }) },
        baseUrl: loaded.baseUrl ?? null,
      });
      const { kind } = source;
      const unsaved = {
        sourceId,
        request,
        settings: kept,
        provenance: known,
        auth,
        kind,
        provisional,
        loaded,
        once,
      };
      return this.#create(initiator, unsaved);
    });
    // What was opened for a source that is not stored.
    const release = () => Promise.allSettled(kinds.map(async (source) => source.release?.(sourceId)));
    return add.then(
      async (row) => {
        if (row.id !== sourceId) await release();
        return row;
      },
      async (error) => {
        await release();
        throw error;
      },
    );
  }

  /** The kinds that the request may be for. */
  async requireAddable(
    workspaceId: string,
    request: SourceRequest,
    by: { byCode: boolean },
  ): Promise<readonly Source[]> {
    const { namespace } = request;
    const kinds = kindsFor(request, this.#deps.kinds, by);
    requireConnectable(request);
    if (namespace !== undefined)
      requireFree(namespace, await this.#deps.catalog.reservedNamespaces(workspaceId));
    return kinds;
  }

  /** A source that was made from the same request: with the same URL, text or settings, and the namespace that it would get, perhaps with a number. */
  async findSame(workspaceId: string, request: SourceRequest): Promise<SourceRow | undefined> {
    const { name, namespace } = request;
    const rows = await this.#deps.store.sources.all(workspaceId);
    const derived = name === undefined ? undefined : namespaceFromName(name);
    return rows.find((row) => {
      if (namespace !== undefined && row.namespace !== namespace) return false;
      const isNamed =
        derived === undefined || row.namespace.replace(/\d+$/, '') === derived.replace(/\d+$/, '');
      if (namespace === undefined && !isNamed) return false;
      return isSameRequest(row, request);
    });
  }

  /** Reads the document again, even if its text has not changed: referenced documents or the reader may have. */
  async refresh(initiator: Initiator, row: SourceRow): Promise<Refreshed> {
    return this.#read(initiator, row, { apply: async (current) => current }, { mayBeSame: true });
  }

  /** Reads the document again after a change of the source. */
  async reload(initiator: Initiator, row: SourceRow, request: ReadRequest): Promise<Refreshed> {
    return this.#read(initiator, row, request, { mayBeSame: false });
  }

  async #create(initiator: Initiator, unsaved: UnsavedSource): Promise<SourceRow> {
    const { store, catalog, now } = this.#deps;
    const { request, loaded, provisional, once } = unsaved;
    const { workspaceId } = initiator.principal;
    const wanted = request.namespace ?? derivedNamespace(request, loaded.title) ?? provisional;
    for (let tries = 0; tries < maxTries; tries++) {
      const names = await catalog.reservedNamespaces(workspaceId);
      const same = once ? await this.findSame(workspaceId, request) : undefined;
      if (same) return same;
      if (request.namespace !== undefined) requireFree(wanted, names);
      const namespace = freeNamespace(wanted, names);
      const renamed = await renameTools(loaded.tools, provisional, namespace);
      const tools = await shortenPaths(renamed, namespace);
      const pack = await catalog.openPack(tools);
      requireNamespace(namespace, pack);
      const row = newRow(initiator, unsaved, { namespace, pack, at: now() });
      const audit = auditOf(initiator, row.createdAt, {
        action: 'source.added',
        target: row.id,
        details: auditDetails(row),
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
    initiator: Initiator,
    { id, workspaceId, namespace, name, kind }: SourceRow,
    request: ReadRequest,
    { mayBeSame }: { mayBeSame: boolean },
  ): Promise<Refreshed> {
    const source = kindOf(this.#deps.kinds, kind);
    return this.#deps.loads.run({ workspaceId, namespace, name }, async (step) => {
      for (let tries = 0; tries < maxTries; tries++) {
        const before = await this.#current(workspaceId, id, namespace);
        const row = await request.apply(before);
        const { loaded, followUrl } = await this.#load(source, { ...request, before, row }, step);
        requireKnownSchemes(request.change ?? {}, loaded);
        step.onProgress({ stage: 'storing' });
        const pack = await this.#deps.catalog.openPack(loaded.tools);
        requireNamespace(before.namespace, pack);
        if (mayBeSame && (await this.#isSame(before, loaded, pack))) return unchanged(before);
        const written = await this.#replace(initiator, {
          ...request,
          apply: async (current) => followUrl(await request.apply(current)),
          before,
          row: followUrl(row),
          source,
          loaded,
          pack,
          mayBeSame,
        });
        if (written) return written;
      }
      throw concurrentChanges(namespace);
    });
  }

  async #load(
    source: Source,
    { before, row, document, files, change }: ReadRequest & { before: SourceRow; row: SourceRow },
    step: Pick<LoadContext, 'signal' | 'onProgress'>,
  ): Promise<{ loaded: LoadedSource; followUrl(row: SourceRow): SourceRow }> {
    const { settings, provenance, namespace } = row;
    const opened = await this.#deps.catalog.source(before.workspaceId, namespace, { fresh: true });
    const text = await this.#textFor(before, settings, { document, files });
    const request = {
      settings: { ...settings, ...text },
      auth: row.auth,
      typedUrl: provenance.url ?? settings.url,
      callBaseUrl: settings.baseUrl ?? before.baseUrl ?? '',
      context: {
        ...step,
        sourceId: before.id,
        namespace,
        previous: [...(opened?.pack.rows() ?? [])],
        ...(change && { entered: enteredSettings(change) }),
      },
    };
    // A new URL was typed by a user, and may be that of a page.
    if (settings.url === before.settings.url)
      return { loaded: await loadSource({ ...request, source }), followUrl: (unchangedRow) => unchangedRow };
    const { loaded, settings: found } = await loadTyped([source], request);
    return { loaded, followUrl: (changedRow) => withDocumentUrl(changedRow, found.url) };
  }

  /** Whether the document and its tools are unchanged. */
  async #isSame(before: SourceRow, loaded: LoadedSource, pack: ToolPack): Promise<boolean> {
    if (loaded.document?.hash !== before.document?.hash) return false;
    const now = described(loaded, before.settings, pack);
    const was = Object.fromEntries(Object.keys(now).map((key) => [key, before[key as keyof SourceRow]]));
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(now)), JSON.parse(JSON.stringify(was)))) return false;
    const stored = await this.#deps.store.sources.readTools(before.contentId);
    return stored !== undefined && isSamePack(stored, loaded.tools);
  }

  /** Keeps changes that others made while the document was read. Returns undefined if it has to be read again because of them. */
  async #replace(initiator: Initiator, replacement: Replacement): Promise<Refreshed | undefined> {
    const { store, catalog, now } = this.#deps;
    const { before, row, source, loaded, pack, apply, mayBeSame, document } = replacement;
    for (let tries = 0; tries < maxTries; tries++) {
      const current = await this.#current(before.workspaceId, before.id, before.namespace);
      const changed = current.revision === before.revision ? row : await apply(current);
      if (!hasSameReadSettings(changed, row)) return undefined;
      // The paths of the tools begin with the namespace.
      if (current.namespace !== before.namespace) return undefined;
      const rows = await this.#rowsOf(current);
      const difference = toolDifference(rows, rowsByPath(pack));
      const read = rereadRow(changed, { source, loaded, pack, current, before: rows, at: now() });
      const next = { ...read, ...reachAfterReading(initiator, read, document) };
      const tools = countsOf(difference);
      const details = {
        ...auditDetails(next),
        unseen: next.unseen.length,
        ...(replacement.auditDetails ? { ...replacement.auditDetails(current, next), tools } : tools),
      };
      const action = mayBeSame ? 'source.refreshed' : 'source.updated';
      const audit = auditOf(initiator, next.updatedAt, { action, target: next.id, details });
      if (await store.sources.replace(next, contentOf(loaded.tools, loaded), audit)) {
        catalog.adopt(next, pack);
        const isSame = isDeepStrictEqual(keptDocument(loaded), current.document);
        return { row: next, ...difference, unchanged: isSame && isEmpty(difference) };
      }
    }
    throw concurrentChanges(before.namespace);
  }

  async #current(workspaceId: string, id: string, namespace: string): Promise<SourceRow> {
    const current = await this.#deps.store.sources.find(workspaceId, id);
    if (current) return current;
    throw new ExecutorError('gone', `The source ${namespace} was removed while its document was read.`);
  }

  async #rowsOf({ workspaceId, namespace }: SourceRow): Promise<Map<string, ToolRow>> {
    const opened = await this.#deps.catalog.source(workspaceId, namespace, { fresh: true });
    return opened ? rowsByPath(opened.pack) : new Map();
  }

  /** The document that is handed over now, or for a source without a URL the stored one. */
  async #textFor(
    before: SourceRow,
    { url }: SourceSettings,
    { document, files }: Pick<ReadRequest, 'document' | 'files'>,
  ): Promise<SourceSettings> {
    if (document !== undefined) return { document, ...(files && { files }) };
    const isStored = url === undefined && before.document !== null;
    return isStored ? { ...(await storedText(this.#deps.store.sources, before)) } : {};
  }
}

/** A source whose document was found at another URL than the typed one. */
function withDocumentUrl(row: SourceRow, documentUrl: string | undefined): SourceRow {
  const { url } = row.settings;
  if (url === undefined || documentUrl === undefined || documentUrl === url) return row;
  return { ...row, settings: { ...row.settings, url: documentUrl }, provenance: { ...row.provenance, url } };
}

function contentOf(tools: PackedTools, { document }: LoadedSource): SourceContent {
  const files = document?.files ?? [];
  return { tools, document: document?.pieces ?? [], files: files.flatMap(({ pieces }) => pieces) };
}

function unchanged(row: SourceRow): Refreshed {
  return { row, unchanged: true, added: [], changed: [], removed: [] };
}

function countsOf({ added, changed, removed }: ToolDifference): Record<string, number> {
  return { added: added.length, changed: changed.length, removed: removed.length };
}

function isEmpty({ added, changed, removed }: ToolDifference): boolean {
  return added.length + changed.length + removed.length === 0;
}

/** Whether both rows lead to the same document. */
function hasSameReadSettings(one: SourceRow, other: SourceRow): boolean {
  return isDeepStrictEqual(one.settings, other.settings) && isDeepStrictEqual(one.auth, other.auth);
}

/** A person who adds a source, or approves its name, has seen the name. */
function isUnconfirmed({ executionId }: Initiator, { name, namespace }: SourceRequest): boolean {
  return executionId !== undefined && name === undefined && namespace === undefined;
}

/** What a source is called while it is loaded for the first time. */
function subjectOf({ document, kind }: SourceRequest): string {
  return document === undefined && kind !== undefined ? `a source of the kind ${kind}` : 'a document';
}

function concurrentChanges(namespace: string): ExecutorError {
  return new ExecutorError('conflict', `The source ${namespace} is being changed by others. Try again.`);
}
