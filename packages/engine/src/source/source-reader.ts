import { isDeepStrictEqual } from 'node:util';
import {
  type DetectedSource,
  type DocumentFiles,
  ExecutorError,
  type NewSource,
  type SourceChange,
} from '@executor/protocol';
import { requireConnectable } from '../auth/client-certificate.ts';
import { type Catalog, requireNamespace } from '../catalog/catalog.ts';
import { isSamePack, renameTools, type ToolPack } from '../catalog/tool-pack.ts';
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
import { requireKnownNames } from './document/known-names.ts';
import { loadSource, loadTyped } from './document/load-source.ts';
import type { Loads } from './document/loads.ts';
import { isSameText, keptDocument, storedText } from './document/source-files.ts';
import { auditOf, type Initiator } from './initiator.ts';
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
import {
  mayReachPrivateNetwork,
  reachAfterReading,
  reachProvenance,
  settingsWithReach,
} from './network/network-reach.ts';
import {
  auditDetails,
  described,
  displayName,
  type Making,
  newRow,
  rereadRow,
  rowsByPath,
} from './source-row.ts';
import { settingsOf } from './source-settings.ts';
import { type ToolDifference, toolDifference } from './tool/tool-difference.ts';

interface Dependencies {
  store: Pick<Store, 'sources'>;
  catalog: Catalog;
  kinds: readonly Source[];
  loads: Loads;
  now: () => Date;
}

/** A source that is to be read again, and perhaps otherwise than before. */
interface Reading {
  /** The source, whatever others have made of it meanwhile, as it is to be. */
  apply(current: SourceRow): Promise<SourceRow>;
  document?: string | undefined;
  files?: DocumentFiles | undefined;
  /** What somebody has just set, which must fit what is read. */
  set?: SourceChange;
  /** What the audit tells beside what was read. */
  tell?(current: SourceRow, next: SourceRow): Record<string, unknown>;
}

interface Replacing extends Reading {
  before: SourceRow;
  /** What it was read with. */
  row: SourceRow;
  loaded: LoadedSource;
  pack: ToolPack;
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

const detectMs = 30_000;
const maxTries = 5;

/**
 * Reads what systems say of themselves, and keeps it: row and content together or nothing at all. A reading that fails leaves what was
 * there before.
 */
export class SourceReader {
  readonly #deps: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#deps = dependencies;
  }

  /** With `once`, a source that the same request has made meanwhile, elsewhere, is answered instead of a second one. */
  async add(
    initiator: Initiator,
    request: NewSource,
    { once = false, provenance = {} }: AddOptions = {},
  ): Promise<SourceRow> {
    const { loads } = this.#deps;
    const { workspaceId } = initiator.principal;
    const { url, document, files, namespace, auth = { type: 'none' } } = request;
    const source = await this.requireAddable(workspaceId, request);
    const settings = settingsOf(request);
    settings.allowPrivateNetwork = mayReachPrivateNetwork(request);
    const provisional = namespace ?? provisionalNamespace(request);
    const subject = { workspaceId, namespace, name: request.name ?? url ?? 'a document' };
    return loads.run(subject, async ({ signal, onProgress }) => {
      const { loaded, settings: found } = await loadTyped({
        source,
        settings: { ...settings, ...(document !== undefined && { document }), ...(files && { files }) },
        auth,
        typedUrl: url,
        callsGoTo: request.baseUrl,
        context: { namespace: provisional, signal, onProgress },
      });
      requireKnownNames(request, loaded);
      onProgress({ stage: 'storing' });
      const known: SourceProvenance = {
        ...provenance,
        ...(url !== undefined && found.url !== url && { url }),
        ...reachProvenance(initiator, request),
      };
      const kept = settingsWithReach({
        provenance: known,
        settings: { ...settings, ...(found.url !== undefined && { url: found.url }) },
        baseUrl: loaded.baseUrl ?? null,
      });
      const { kind } = source;
      const making = { request, settings: kept, provenance: known, auth, kind, provisional, loaded, once };
      return this.#create(initiator, making);
    });
  }

  async requireAddable(workspaceId: string, request: NewSource): Promise<Source> {
    const { kind, namespace } = request;
    const source = this.#kind(kind);
    requireConnectable(request);
    if (namespace !== undefined)
      requireFree(namespace, await this.#deps.catalog.reservedNamespaces(workspaceId));
    return source;
  }

  /** A source that was made by the same request: of that address or text, and under the name that it would get, or that with a number. */
  async findSame(workspaceId: string, request: NewSource): Promise<SourceRow | undefined> {
    const { url, name, namespace } = request;
    const rows = await this.#deps.store.sources.all(workspaceId);
    const derived = name === undefined ? undefined : namespaceFromName(name);
    return rows.find((row) => {
      if (namespace !== undefined && row.namespace !== namespace) return false;
      const isNamed =
        derived === undefined || row.namespace.replace(/\d+$/, '') === derived.replace(/\d+$/, '');
      if (namespace === undefined && !isNamed) return false;
      return url === undefined ? isSameText(row, request) : isAt(row, url);
    });
  }

  async detect(
    workspaceId: string,
    question: { url: string; allowPrivateNetwork?: boolean | undefined },
  ): Promise<DetectedSource> {
    const { kinds, catalog } = this.#deps;
    const { url } = question;
    for (const source of kinds) {
      const found = await source.detect(url, {
        signal: AbortSignal.timeout(detectMs),
        allowPrivateNetwork: mayReachPrivateNetwork(question),
      });
      if (found === undefined) continue;
      const { title, settings } = found;
      const place = typeof settings.url === 'string' ? settings.url : url;
      const name = displayName(title) ?? new URL(place).hostname;
      const wanted = (title && namespaceFromTitle(title)) ?? namespaceFromUrl(place) ?? 'api';
      const namespace = freeNamespace(wanted, await catalog.reservedNamespaces(workspaceId));
      return { kind: source.kind, url: place, name, namespace, ...(title !== undefined && { title }) };
    }
    throw new ExecutorError(
      'unusableDocument',
      `Behind ${url} is nothing that can be connected: no ${kinds.map(({ kind }) => kind).join(', ')} description was found there.`,
    );
  }

  /** What it refers to may have changed, though its own text has not; so may whatever reads it. */
  async refresh(initiator: Initiator, row: SourceRow): Promise<Refreshed> {
    return this.#read(initiator, row, { apply: async (current) => current }, { mayBeSame: true });
  }

  /** Reads a source that is to be read otherwise than before. */
  async reload(initiator: Initiator, row: SourceRow, reading: Reading): Promise<Refreshed> {
    return this.#read(initiator, row, reading, { mayBeSame: false });
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

  async #create(initiator: Initiator, making: Making): Promise<SourceRow> {
    const { store, catalog, now } = this.#deps;
    const { request, loaded, provisional, once } = making;
    const { workspaceId } = initiator.principal;
    const wanted = request.namespace ?? derivedNamespace(request, loaded.title) ?? provisional;
    for (let tries = 0; tries < maxTries; tries++) {
      const names = await catalog.reservedNamespaces(workspaceId);
      const same = once ? await this.findSame(workspaceId, request) : undefined;
      if (same) return same;
      if (request.namespace !== undefined) requireFree(wanted, names);
      const namespace = freeNamespace(wanted, names);
      const tools = await renameTools(loaded.tools, provisional, namespace);
      const pack = await catalog.openPack(tools);
      requireNamespace(namespace, pack);
      const row = newRow(initiator, making, { namespace, pack, at: now() });
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
    reading: Reading,
    { mayBeSame }: { mayBeSame: boolean },
  ): Promise<Refreshed> {
    const source = this.#kind(kind);
    return this.#deps.loads.run({ workspaceId, namespace, name }, async (step) => {
      for (let tries = 0; tries < maxTries; tries++) {
        const before = await this.#current(workspaceId, id, namespace);
        const row = await reading.apply(before);
        const { loaded, led } = await this.#load(source, { ...reading, before, row }, step);
        requireKnownNames(reading.set ?? {}, loaded);
        step.onProgress({ stage: 'storing' });
        const pack = await this.#deps.catalog.openPack(loaded.tools);
        requireNamespace(namespace, pack);
        if (mayBeSame && (await this.#isSame(before, loaded, pack))) return unchanged(before);
        const written = await this.#replace(initiator, {
          ...reading,
          apply: async (current) => led(await reading.apply(current)),
          before,
          row: led(row),
          loaded,
          pack,
          mayBeSame,
        });
        if (written) return written;
      }
      throw inTheWay(namespace);
    });
  }

  async #load(
    source: Source,
    { before, row, document, files }: Reading & { before: SourceRow; row: SourceRow },
    step: Pick<LoadContext, 'signal' | 'onProgress'>,
  ): Promise<{ loaded: LoadedSource; led(row: SourceRow): SourceRow }> {
    const { settings, provenance, namespace } = row;
    const opened = await this.#deps.catalog.source(before.workspaceId, namespace, { fresh: true });
    const text = await this.#textFor(before, settings, { document, files });
    const chosen = settings.baseUrl;
    const request = {
      source,
      settings: { ...settings, ...text },
      auth: row.auth,
      typedUrl: provenance.url ?? settings.url,
      callsGoTo: typeof chosen === 'string' ? chosen : (before.baseUrl ?? ''),
      context: { ...step, namespace, previous: [...(opened?.pack.rows() ?? [])] },
    };
    // Another address than before is what somebody typed, and may be that of a page.
    if (settings.url === before.settings.url) return { loaded: await loadSource(request), led: (it) => it };
    const { loaded, settings: found } = await loadTyped(request);
    return { loaded, led: (it) => ledTo(found.url, it) };
  }

  /** Whether there is nothing to write. */
  async #isSame(before: SourceRow, loaded: LoadedSource, pack: ToolPack): Promise<boolean> {
    if (loaded.document?.hash !== before.document?.hash) return false;
    const now = described(loaded, before.settings, pack);
    const was = Object.fromEntries(Object.keys(now).map((key) => [key, before[key as keyof SourceRow]]));
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(now)), JSON.parse(JSON.stringify(was)))) return false;
    const stored = await this.#deps.store.sources.readTools(before.contentId);
    return stored !== undefined && isSamePack(stored, loaded.tools);
  }

  /** Others may have changed the row while its document was read: what they said is kept. Undefined where it has to be read again. */
  async #replace(initiator: Initiator, replacing: Replacing): Promise<Refreshed | undefined> {
    const { store, catalog, now } = this.#deps;
    const { before, row, loaded, pack, apply, tell, mayBeSame, document } = replacing;
    for (let tries = 0; tries < maxTries; tries++) {
      const current = await this.#current(before.workspaceId, before.id, before.namespace);
      const wanted = current.revision === before.revision ? row : await apply(current);
      if (!isReadAlike(wanted, row)) return undefined;
      const rows = await this.#rowsOf(current);
      const difference = toolDifference(rows, rowsByPath(pack));
      const read = rereadRow(wanted, { loaded, pack, current, before: rows, at: now() });
      const next = { ...read, ...reachAfterReading(initiator, read, document) };
      const tools = countsOf(difference);
      const details = {
        ...auditDetails(next),
        unseen: next.unseen.length,
        ...(tell ? { ...tell(current, next), tools } : tools),
      };
      const action = mayBeSame ? 'source.refreshed' : 'source.updated';
      const audit = auditOf(initiator, next.updatedAt, { action, target: next.id, details });
      if (await store.sources.replace(next, contentOf(loaded.tools, loaded), audit)) {
        catalog.adopt(next, pack);
        const isSame =
          loaded.document !== undefined && isDeepStrictEqual(keptDocument(loaded), current.document);
        return { row: next, ...difference, unchanged: isSame && isNothing(difference) };
      }
    }
    throw inTheWay(before.namespace);
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

  /** What is handed over now, else, of a source that has no address, what was handed over before. */
  async #textFor(
    before: SourceRow,
    { url }: SourceSettings,
    { document, files }: Pick<Reading, 'document' | 'files'>,
  ): Promise<SourceSettings> {
    if (document !== undefined) return { document, ...(files && { files }) };
    return url === undefined ? { ...(await storedText(this.#deps.store.sources, before)) } : {};
  }
}

/** A source whose address has led to that of its document. */
function ledTo(place: unknown, row: SourceRow): SourceRow {
  const { url } = row.settings;
  if (typeof url !== 'string' || place === url) return row;
  return { ...row, settings: { ...row.settings, url: place }, provenance: { ...row.provenance, url } };
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

function isNothing({ added, changed, removed }: ToolDifference): boolean {
  return added.length + changed.length + removed.length === 0;
}

/** Whether a reading with the one is a reading with the other. */
function isReadAlike(one: SourceRow, other: SourceRow): boolean {
  return isDeepStrictEqual(one.settings, other.settings) && isDeepStrictEqual(one.auth, other.auth);
}

function isAt({ settings, provenance }: SourceRow, url: string): boolean {
  return settings.url === url || provenance.url === url;
}

function inTheWay(namespace: string): ExecutorError {
  return new ExecutorError('conflict', `The source ${namespace} is being changed by others. Try again.`);
}
